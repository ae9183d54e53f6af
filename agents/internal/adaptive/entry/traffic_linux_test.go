package entry_test

import (
	"maps"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

var (
	deliveries = []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE, datapath.NAT}
	none       = map[string]uint64{"a": 0, "b": 0, "c": 0}

	// least is how 12 connections are placed if the others cost 6 ms more than a.
	least = map[string]uint64{"a": 8, "b": 2, "c": 2}
)

// Each connection goes where it costs least, beside those that are open. Once they are closed, none counts.
func TestConnectionsGoWhereTheyCostLeast(t *testing.T) {
	for _, delivery := range deliveries {
		t.Run(string(delivery), func(t *testing.T) {
			l := newLab(t, delivery)
			l.price(0, 6*time.Millisecond, 6*time.Millisecond)
			for _, key := range l.keys[:2] {
				conns, at := l.hold(key, 12)
				if !maps.Equal(at, least) {
					t.Errorf("%s: connections went to %v, want %v", key, at, least)
				}
				l.countsBecome(key, least)
				closeAll(conns)
				l.countsBecome(key, none)
			}
		})
	}
}

// Datagrams show no end of a flow: they count until the next figures, which include them.
func TestFlowsOfDatagramsCountUntilTheNextFigures(t *testing.T) {
	for _, delivery := range deliveries {
		t.Run(string(delivery), func(t *testing.T) {
			l := newLab(t, delivery)
			for _, key := range l.keys[2:] {
				for range 2 {
					l.price(0, 6*time.Millisecond, 6*time.Millisecond)
					conns, at := l.hold(key, 12)
					if !maps.Equal(at, least) {
						t.Errorf("%s: flows went to %v, want %v", key, at, least)
					}
					for _, conn := range conns { // later datagrams stay where the first one went
						answer, err := conn.Request()
						must(t, err)
						at[answer.Backend]--
					}
					if !maps.Equal(at, none) {
						t.Errorf("%s: some flows have moved: %v", key, at)
					}
					closeAll(conns)
				}
			}
		})
	}
}

// A node that serves itself is preferred as at sockets: it counts what is in flight, which is nothing here.
func TestConnectionsStayAtTheNodeWhereTheyEnter(t *testing.T) {
	l := newLab(t, datapath.NAT)
	must(t, l.costs.Remove())
	l.node = "b"
	l.startCosts()
	l.set()
	l.price(0, 0, 0)
	conns, at := l.hold(l.keys[0], 12)
	defer closeAll(conns)
	if want := map[string]uint64{"b": 12}; !maps.Equal(at, want) {
		t.Errorf("connections went to %v, want %v", at, want)
	}
}

// Counts are 0 again after many connections, of which some are open at the same time.
func TestNothingCountsAfterChurn(t *testing.T) {
	const workers, each = 8, 60
	for _, delivery := range []datapath.Delivery{datapath.Direct, datapath.NAT} {
		t.Run(string(delivery), func(t *testing.T) {
			l := newLab(t, delivery)
			l.price(0, time.Millisecond, time.Millisecond)
			var all sync.WaitGroup
			for worker := range workers {
				all.Go(func() {
					client := datapathtest.Client{Space: l.network.Client}
					for range each {
						if _, err := client.RequestOnce(l.keys[worker%2]); err != nil {
							t.Error(err)
						}
					}
				})
			}
			all.Wait()
			for _, key := range l.keys {
				l.countsBecome(key, none)
			}
		})
	}
}
