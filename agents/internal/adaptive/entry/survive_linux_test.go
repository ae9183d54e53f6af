package entry_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/entry"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// Without the balancer's agent, connections are placed and counted. The next one continues with these counts.
func TestTheKernelContinuesWithoutTheAgents(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Direct, datapath.NAT} {
		t.Run(string(delivery), func(t *testing.T) {
			l := newLab(t, delivery)
			key := l.keys[0]
			l.price(0, 6*time.Millisecond, 6*time.Millisecond)
			before, at := l.hold(key, 6)
			l.entry.Close()
			must(t, l.engine.Close())
			must(t, l.costs.Close())
			without, more := l.hold(key, 6)
			for node, n := range more {
				at[node] += n
			}
			if !maps.Equal(at, least) {
				t.Errorf("connections went to %v, want %v", at, least)
			}
			l.startCosts()
			l.open()
			l.set()
			l.countsBecome(key, least)
			if corrected, err := l.costs.Reconcile(); err != nil || corrected != 0 {
				t.Errorf("%d counts were corrected (%v), and all connections exist", corrected, err)
			}
			if ended, err := l.entry.Reconcile(); err != nil || ended != 0 {
				t.Errorf("%d connections were ended (%v), and all exist", ended, err)
			}
			l.countsBecome(key, least)
			closeAll(before)
			closeAll(without)
			l.countsBecome(key, none)
		})
	}
}

// What is removed doesn't count any more.
func TestARemovedBalancerLeavesNoCounts(t *testing.T) {
	l := newLab(t, datapath.Direct)
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	conns, _ := l.hold(l.keys[0], 12)
	defer closeAll(conns)
	l.countsBecome(l.keys[0], least)
	must(t, l.entry.Remove())
	l.countsBecome(l.keys[0], none)
}

// A process that ended without removing its replica leaves counts, which nothing else would end.
func TestWhatAFormerProcessCountedIsCleared(t *testing.T) {
	l := newLab(t, datapath.Direct)
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	conns, _ := l.hold(l.keys[0], 12)
	defer closeAll(conns)
	l.entry.Close()
	other := l.options
	other.Replica = "another"
	must(t, entry.Clear(other))
	l.countsBecome(l.keys[0], least)
	must(t, entry.Clear(l.options))
	l.countsBecome(l.keys[0], none)
	l.open()
	l.set()
}

// Without backends there is nothing to choose, so connections that are left are ended when the service is removed.
func TestAServiceWithoutBackendsIsNoProblem(t *testing.T) {
	l := newLab(t, datapath.Direct)
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	conns, _ := l.hold(l.keys[0], 12)
	defer closeAll(conns)
	all := l.carried
	l.carried = slices.Clone(all)
	for i := range l.carried {
		l.carried[i].Backends = nil
	}
	l.set()
	if problem := l.entry.Problem(); problem != "" {
		t.Errorf("a problem: %s", problem)
	}
	must(t, l.entry.Remove())
	l.countsBecome(l.keys[0], none)
	must(t, l.engine.Close())
	l.carried = all
	l.open()
	l.set()
}
