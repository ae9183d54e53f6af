package balancer

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/names"
)

// A server that is restarted between two health checks has other ticket keys, and was never down.
func TestNamesAreLearnedAgainWhenABackendTakesConnectionsAgain(t *testing.T) {
	probed := make(chan netip.AddrPort, 100)
	l := &learner{
		wake: func() {}, seen: map[datapath.Key]map[names.Name]time.Time{},
		probe: func(_ context.Context, address netip.AddrPort, _ string) []names.Finding {
			probed <- address
			return []names.Finding{{}}
		},
	}
	t.Cleanup(func() { l.close() })
	service := func(state datapath.State, companions ...string) []Service {
		key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: 443, Protocol: datapath.TCP}
		backend := datapath.Backend{ID: "a", Address: netip.MustParseAddr("10.0.0.1"), Port: 443, State: state}
		session := &Session{Learns: true, Tickets: time.Hour, Backends: map[string]SessionBackend{}}
		for _, id := range companions {
			session.Backends[id] = SessionBackend{Number: 1}
		}
		return []Service{{Wanted: datapath.Service{Key: key, Backends: []datapath.Backend{backend}}, Session: session}}
	}
	isProbed := func(why string) {
		t.Helper()
		select {
		case <-probed:
		case <-time.After(4 * time.Second):
			t.Fatalf("not probed: %s", why)
		}
	}
	l.set(service(datapath.Active, "a"))
	isProbed("it is new")
	l.set(service(datapath.Active))
	l.set(service(datapath.Active, "a"))
	isProbed("its companion is ready again")
	l.set(service(datapath.Draining, "a"))
	l.set(service(datapath.Active, "a"))
	isProbed("it is active again")
	l.set(service(datapath.Active, "a"))
	select {
	case <-probed:
		t.Error("probed without a change")
	case <-time.After(200 * time.Millisecond):
	}
}
