package simulate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/gen/limits"
)

func asJSON(t *testing.T, plans ...Plan) *bytes.Buffer {
	t.Helper()
	text, err := json.Marshal(map[string][]Plan{"plans": plans})
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewBuffer(text)
}

func TestAPredictionHasTheResultOfEachPlan(t *testing.T) {
	near := Point{Placement: skewed, DelayMs: 1, Load: 0.8, Work: Exponential}.Plan(1, 5)
	far := Point{Placement: skewed, DelayMs: 18, Load: 0.8, Work: Exponential}.Plan(1, 5)
	var out bytes.Buffer
	if err := Predict(t.Context(), asJSON(t, near, far), &out); err != nil {
		t.Fatal(err)
	}
	var got struct{ Results []Result }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for i, plan := range []Plan{near, far} {
		want := run(t, plan, Adaptive)
		if got.Results[i].Latency != want.Latency || got.Results[i].LocalShare != want.LocalShare || len(got.Results[i].BusyShares) != 4 {
			t.Errorf("plan %d: got %+v, want %+v", i, got.Results[i], want)
		}
	}
	if got.Results[0].MeanMs >= got.Results[1].MeanMs {
		t.Errorf("the mean is %g ms with a delay of 1 ms, and %g ms with 18 ms", got.Results[0].MeanMs, got.Results[1].MeanMs)
	}
}

func TestPlansThatTakeTooLongAreRejected(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Plan)
		want   string
	}{
		{"an invalid plan", func(p *Plan) { p.Work = "odd" }, `work is "odd"`},
		{"clients", func(p *Plan) { p.Rates, p.Clients = nil, []int{1, 1, 1, 1} }, "give rates"},
		{"many requests", func(p *Plan) { p.Rates[0] = 1e6 }, "more than 200000 requests"},
		{"requests without end", func(p *Plan) { p.Rates[0] = 1e300 }, "more than 200000 requests"},
		{"many requests later", func(p *Plan) { p.Changes = []Change{{1, Rate, 0, 1e6}} }, "more than 200000 requests"},
		{"a long time", func(p *Plan) { p.For, p.Rates = 1e5, []float64{0.1, 0, 0, 0} }, "figures of 4 nodes"},
		{"a long time without figures", func(p *Plan) { p.For, p.Exchange, p.Rates = 1e5, 1e5, []float64{0.1, 0, 0, 0} }, "figures of 4 nodes"},
		{"many backends", func(p *Plan) { p.Backends[0] = 2000 }, "1000 backends"},
		{"many connections", func(p *Plan) { p.Connections = 1e6 }, "10000 connections"},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := Point{Placement: skewed, DelayMs: 3, Load: 0.5, Work: Exponential}.Plan(1, 5)
			test.change(&plan)
			if err := Predict(t.Context(), asJSON(t, plan), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

func TestPlansThatCantBeReadAreRejected(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "can't be read"}, {"[]", "can't be read"}, {`{"plans": [{"nodes": 4}]}`, `unknown field "nodes"`}, {`{"plans": []}`, "give 1 to 2 plans, not 0"},
		{`{"plans": [{},{},{}]}`, "not 3"}, {`{"plans": [` + strings.Repeat(" ", limits.SimulatorBytes) + `]}`, "can't be read"},
	} {
		if err := Predict(t.Context(), strings.NewReader(test.text), &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40s: got %v, want %q", test.text, err, test.want)
		}
	}
}

func TestARunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	plan := Point{Placement: skewed, DelayMs: 3, Load: 0.5, Work: Exponential}.Plan(1, 1e6)
	if _, err := Run(ctx, plan, Adaptive); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// All requests go to the only node with a backend, so their latency is a round trip and what a queue with its cores takes.
func TestAPredictionOfASlowNodeFarAwayIsThatOfItsQueue(t *testing.T) {
	const rate, times, delay = 700.0, 2.0, 0.009
	plan := Cluster([]float64{2, 2}, []int{0, 1}, delay)
	plan.ServiceTime, plan.Rates, plan.For = 0.001, []float64{rate, 0}, 200
	plan.Changes = []Change{{0, Speed, 1, 1 / times}}
	var out bytes.Buffer
	if err := Predict(t.Context(), asJSON(t, plan), &out); err != nil {
		t.Fatal(err)
	}
	var got struct{ Results []Result }
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	var value policy.Value
	value.Set(rate, times*plan.ServiceTime, 2)
	want := 1000 * (2*delay + value.Of(0))
	if mean := got.Results[0].MeanMs; math.Abs(mean-want) > 0.03*want || got.Results[0].LocalShare != 0 {
		t.Errorf("mean %g ms, want %g; local share %g", mean, want, got.Results[0].LocalShare)
	}
	if busy := got.Results[0].BusyShares[1]; math.Abs(busy-rate*times*plan.ServiceTime/2) > 0.02 {
		t.Errorf("busy share %g", busy)
	}
}
