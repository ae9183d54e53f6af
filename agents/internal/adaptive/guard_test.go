package adaptive

import (
	"math"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/pressure"
)

func TestWhatOtherProgramsUseIsNotOffered(t *testing.T) {
	for _, test := range []struct {
		name             string
		cpu, memory, own float64
		want             float64
	}{
		{"an idle node", 0, 0, 0, 1},
		{"its own requests wait", 0.8, 0, 0.8, 1},
		{"another program, without requests", 0.3, 0, 0, 0.7},
		{"another program, next to requests", 0.9, 0, 0.6, 0.7},
		{"reclaimed memory", 0, 0.2, 0.5, 0.8},
		{"both", 0.4, 0.1, 0, 0.6},
		{"too much of both", 1, 1, 0, leastFactor},
	} {
		g, now, stalls := &guard{}, time.Unix(1, 0), pressure.Stalls{}
		for range 20 {
			g.add(stalls, test.own, now)
			now = now.Add(guardEvery)
			stalls.CPU += time.Duration(test.cpu * float64(guardEvery))
			stalls.Memory += time.Duration(test.memory * float64(guardEvery))
		}
		if got := g.factor(); math.Abs(got-test.want) > 1e-3 {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestPressureHasAnEventWhenItLasts(t *testing.T) {
	g, now, stalls := &guard{}, time.Unix(1, 0), pressure.Stalls{}
	step := func(busy bool) (reasons []string) {
		now = now.Add(guardEvery)
		if busy {
			stalls.Memory += guardEvery
		}
		for _, one := range g.add(stalls, 0, now) {
			reasons = append(reasons, one.Reason)
		}
		return reasons
	}
	for i, one := range []struct {
		busy bool
		want string
	}{
		{false, ""}, {true, ""}, {false, ""}, {false, ""}, // a short one
		{true, ""}, {true, ""}, {true, NodePressed}, {true, ""}, {true, ""},
		{false, ""}, {false, ""}, {false, NodeNotPressed}, {false, ""},
	} {
		got := step(one.busy)
		if one.want == "" && len(got) > 0 || one.want != "" && (len(got) != 1 || got[0] != one.want) {
			t.Errorf("step %d: %v, want %q", i, got, one.want)
		}
	}
}

func TestMissingPressureHasOneEventAndOffersAllCores(t *testing.T) {
	g, now := &guard{}, time.Unix(1, 0)
	g.add(pressure.Stalls{}, 0, now)
	g.add(pressure.Stalls{CPU: time.Hour}, 0, now.Add(guardEvery))
	want(t, "at first", g.missing(pressure.ErrMissing), NodePressureUnknown)
	want(t, "again", g.missing(pressure.ErrMissing))
	if g.factor() != 1 {
		t.Errorf("%v of the cores are offered", g.factor())
	}
}
