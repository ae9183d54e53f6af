package bench

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestEachRoundHasAllSubjectsAndStartsWithAnother(t *testing.T) {
	all := []string{"a", "b", "c"}
	for round, want := range [][]string{{"a", "b", "c"}, {"b", "c", "a"}, {"c", "a", "b"}, {"a", "b", "c"}} {
		if got := order(all, round); !slices.Equal(got, want) {
			t.Errorf("round %d: %v", round, got)
		}
	}
	if got := order([]string(nil), 3); len(got) != 0 {
		t.Errorf("of an empty list: %v", got)
	}
}

func TestInvalidPlansAreRejected(t *testing.T) {
	good := Plan{Rounds: 1, Connections: 1, For: time.Second}
	for _, c := range []struct {
		name  string
		spoil func(*Plan)
		wants string
	}{
		{"a good one", func(*Plan) {}, ""},
		{"no rounds", func(p *Plan) { p.Rounds = 0 }, "--rounds"},
		{"no connections", func(p *Plan) { p.Connections = 0 }, "--connections"},
		{"more connections than descriptors", func(p *Plan) { p.Connections = 100_000 }, "--connections"},
		{"more services than there are addresses for", func(p *Plan) { p.Services = 6000 }, "--services"},
		{"more flows than there are clients for", func(p *Plan) { p.Flows = 9_000_000 }, "--flows"},
		{"more live connections than there are ports for", func(p *Plan) { p.Live = 100_000 }, "--live"},
		{"no time", func(p *Plan) { p.For = 0 }, "--for"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := good
			c.spoil(&plan)
			err := plan.Check()
			if (err != nil) != (c.wants != "") || err != nil && !strings.Contains(err.Error(), c.wants) {
				t.Errorf("%v", err)
			}
		})
	}
}
