package entry_test

import (
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// Costs that are too old are replaced by weights, as at sockets.
func TestOldCostsAreReplacedByWeights(t *testing.T) {
	l := newLab(t, datapath.NAT)
	l.decideFor("a", func(b *sockets.Backend) { b.Weight = 6 })
	l.priceAt(time.Now().Add(-4*time.Second), map[string]time.Duration{"a": time.Hour, "b": 0, "c": time.Hour})
	conns, at := l.hold(l.keys[0], 200)
	defer closeAll(conns)
	if at["a"] < 100 || at["b"] == 0 || at["c"] == 0 {
		t.Errorf("connections went to %v, and the weights are 6, 1 and 1", at)
	}
}

// Without an agent of the role adaptive, the engine draws. Costs count as soon as there are some, also new ones.
func TestWithoutCostsBackendsAreDrawn(t *testing.T) {
	l := newLab(t, datapath.Direct)
	for range 2 {
		must(t, l.costs.Remove())
		must(t, l.entry.Set(l.carried))
		if l.entry.Problem() == "" {
			t.Fatal("there are costs of an agent that was removed")
		}
		conns, at := l.hold(l.keys[0], 80)
		if at["a"] == 0 || at["b"] == 0 || at["c"] == 0 {
			t.Errorf("connections went to %v, and all backends have the same weight", at)
		}
		closeAll(conns)

		l.startCosts()
		l.price(time.Hour, 0, time.Hour)
		must(t, l.entry.Set(l.carried))
		if problem := l.entry.Problem(); problem != "" {
			t.Fatalf("the costs of a new agent aren't used: %s", problem)
		}
		conns, at = l.hold(l.keys[0], 12)
		if at["b"] != 12 {
			t.Errorf("connections went to %v, and b costs least", at)
		}
		closeAll(conns)
		l.countsBecome(l.keys[0], none)
	}
}

// The agent of the role adaptive may have another config, or reject a service. Then its backends are drawn, and that is reported.
func TestAServiceWithoutCostsIsReported(t *testing.T) {
	l := newLab(t, datapath.Direct)
	all := l.decided
	l.decided = all[1:]
	l.decide()
	must(t, l.entry.Set(l.carried))
	if problem, want := l.entry.Problem(), l.keys[0].String(); !strings.Contains(problem, want) {
		t.Errorf("the problem is %q, want one of %s", problem, want)
	}
	conns, at := l.hold(l.keys[0], 80)
	if at["a"] == 0 || at["b"] == 0 || at["c"] == 0 {
		t.Errorf("connections went to %v, and all backends have the same weight", at)
	}
	closeAll(conns)
	l.decided = all
	l.decide()
	must(t, l.entry.Set(l.carried))
	if problem := l.entry.Problem(); problem != "" {
		t.Errorf("a problem: %s", problem)
	}
}

// Standby backends get connections only if no other can.
func TestStandbyBackendsWait(t *testing.T) {
	l := newLab(t, datapath.NAT)
	l.price(0, time.Hour, time.Hour)
	l.decideFor("a", func(b *sockets.Backend) { b.Weight = 0 })
	conns, at := l.hold(l.keys[0], 12)
	closeAll(conns)
	if at["a"] != 0 {
		t.Errorf("connections went to %v, and a is standby", at)
	}
	for _, node := range []string{"b", "c"} {
		l.decideFor(node, func(b *sockets.Backend) { b.Up = false })
	}
	conns, at = l.hold(l.keys[0], 12)
	closeAll(conns)
	if at["a"] != 12 {
		t.Errorf("connections went to %v, and only the standby one is up", at)
	}
}

// The engine's own checks of backends count too.
func TestBackendsThatAreDownAtTheEngineAreNotChosen(t *testing.T) {
	l := newLab(t, datapath.Direct)
	l.price(0, time.Hour, time.Hour)
	for i := range l.carried {
		l.carried[i].Backends[0].Up = false
	}
	l.set()
	conns, at := l.hold(l.keys[0], 12)
	if at["a"] != 0 {
		t.Errorf("connections went to %v, and a is down", at)
	}
	l.countsBecome(l.keys[0], map[string]uint64{"a": 0, "b": at["b"], "c": at["c"]})
	closeAll(conns)
}
