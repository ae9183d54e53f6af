package simulate

import (
	"math"
	"strings"
	"testing"
)

func TestInvalidPlansAreRejected(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Plan)
		want   string
	}{
		{"no nodes", func(p *Plan) { p.Cores = nil }, "cores, backends and delay"},
		{"no backends", func(p *Plan) { p.Backends = []int{0, 0, 0, 0} }, "no node has a backend"},
		{"rates and clients", func(p *Plan) { p.Clients = []int{1, 1, 1, 1} }, "either rates or clients"},
		{"neither", func(p *Plan) { p.Rates = nil }, "either rates or clients"},
		{"too few rates", func(p *Plan) { p.Rates = []float64{1} }, "an entry for each node"},
		{"a negative rate", func(p *Plan) { p.Rates[1] = -1 }, "must be at least 0"},
		{"a rate that is no number", func(p *Plan) { p.Rates[1] = math.NaN() }, "must be at least 0"},
		{"no requests", func(p *Plan) { clear(p.Rates) }, "above 0 at one node"},
		{"a negative detection", func(p *Plan) { p.Detection = -1 }, "detection"},
		{"no service time", func(p *Plan) { p.ServiceTime = 0 }, "serviceTime"},
		{"NaN", func(p *Plan) { p.Exchange = math.NaN() }, "exchange"},
		{"no cores", func(p *Plan) { p.Cores = []float64{2, 0, 2, 2} }, "node 1: cores"},
		{"no delay", func(p *Plan) { p.Delay[2][3] = 0 }, "node 2: delays"},
		{"unknown work", func(p *Plan) { p.Work = "odd" }, `work is "odd"`},
		{"connections without requests", func(p *Plan) { p.PerConnection = 0 }, "perConnection"},
		{"a change at an unknown node", func(p *Plan) { p.Changes = []Change{{1, Speed, 4, 0.5}} }, "change 0"},
		{"a node without speed", func(p *Plan) { p.Changes = []Change{{1, Speed, 0, 0}} }, "change 0"},
		{"an unknown change", func(p *Plan) { p.Changes = []Change{{1, "heal", 0, 1}} }, "change 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := Point{Placement: placements[0], DelayMs: 3, Load: 0.5, Work: Exponential}.Plan(1, 1)
			test.change(&plan)
			if _, err := Run(t.Context(), plan, "random"); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestAnUnknownSubjectIsRejected(t *testing.T) {
	plan := Point{Placement: placements[0], DelayMs: 3, Load: 0.5, Work: Exponential}.Plan(1, 1)
	if _, err := Run(t.Context(), plan, "luck"); err == nil || !strings.Contains(err.Error(), `unknown subject "luck"`) {
		t.Errorf("got %v", err)
	}
}
