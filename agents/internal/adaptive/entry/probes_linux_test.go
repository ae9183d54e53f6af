package entry_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/adaptive/sockets"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/speaker/inward"
)

// A speaker probes five times a second: that must neither look like clients, nor change where these go.
func TestProbesAreNotCountedAsClients(t *testing.T) {
	const probes = 20
	l := newLab(t, datapath.Direct)
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	must(t, l.network.Balancers[0].Do(func() error {
		through, err := inward.Open(datapathtest.Interface)
		if err != nil {
			return err
		}
		defer func() { _ = through.Close() }()
		for _, key := range l.keys[:2] {
			for range probes {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				err := through.Probe(ctx, health.Target{Address: key.Address, Port: key.Port, Check: health.Check{Kind: health.TCP}})
				cancel()
				if err != nil {
					return err
				}
			}
		}
		return nil
	}))
	for _, key := range l.keys[:2] {
		if chosen, entered := l.chosen(key); chosen != 0 || entered != 0 {
			t.Errorf("%s: %d probes count as %d connections, %d of them from outside", key, probes, chosen, entered)
		}
		l.countsBecome(key, none)
	}
	observed, err := l.costs.Observe()
	must(t, err)
	if len(observed.Decisions) != 0 {
		t.Errorf("%d probes were sampled", len(observed.Decisions))
	}
}

// Connections and flows of datagrams from outside are counted as chosen, and apart from those that start at the node.
func TestConnectionsFromOutsideAreCountedApart(t *testing.T) {
	l := newLab(t, datapath.NAT)
	l.price(0, 6*time.Millisecond, 6*time.Millisecond)
	for _, key := range l.keys {
		conns, _ := l.hold(key, 12)
		if chosen, entered := l.chosen(key); chosen != 12 || entered != 12 {
			t.Errorf("%s: %d were chosen, and %d came from outside, want 12", key, chosen, entered)
		}
		open := uint64(len(conns))
		if key.Protocol == datapath.UDP {
			open = 0 // the end of a flow isn't known
		}
		l.enteredBecome(key, open)
		closeAll(conns)
		l.enteredBecome(key, 0)
	}
}

// enteredBecome waits until so many connections from outside are open.
func (l *lab) enteredBecome(key datapath.Key, want uint64) {
	l.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		got := uint64(0)
		for _, node := range l.nodes(key) {
			got += node.Entered.Open
		}
		if got == want {
			return
		}
		if time.Now().After(end) {
			l.Fatalf("%s: %d connections from outside are open, want %d", key, got, want)
		}
	}
}

func (l *lab) nodes(key datapath.Key) []sockets.NodeCounts {
	l.Helper()
	observed, err := l.costs.Observe()
	must(l, err)
	at := slices.IndexFunc(observed.Services, func(s sockets.ServiceCounts) bool { return s.Key == key })
	if at < 0 {
		l.Fatalf("%s has no counts", key)
	}
	return observed.Services[at].Nodes
}

// chosen returns how many connections of a service were placed, and how many of them came from outside.
func (l *lab) chosen(key datapath.Key) (chosen, entered uint64) {
	l.Helper()
	for _, node := range l.nodes(key) {
		chosen += node.Counts.Chosen
		entered += node.Entered.Chosen
	}
	return chosen, entered
}
