package entry_test

import (
	"maps"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var none = map[string]uint64{"a": 0, "b": 0, "c": 0}

// Each connection goes where it costs least, with those that are open. Once they are closed, none counts.
func TestConnectionsGoWhereTheyCostLeast(t *testing.T) {
	for _, delivery := range []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.GUE, datapath.NAT} {
		t.Run(string(delivery), func(t *testing.T) {
			l := newLab(t, delivery)
			for _, key := range l.keys[:2] {
				l.price(map[string]time.Duration{"a": 0, "b": 6 * time.Millisecond, "c": 6 * time.Millisecond}, time.Now())
				conns, at := l.hold(key, 12)
				want := map[string]uint64{"a": 8, "b": 2, "c": 2}
				if !maps.Equal(at, want) {
					t.Errorf("%s: connections went to %v, want %v", key, at, want)
				}
				l.countsBecome(key, want)
				for _, conn := range conns {
					conn.Close()
				}
				l.countsBecome(key, none)
			}
		})
	}
}
