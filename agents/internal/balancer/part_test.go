package balancer

import (
	"net/netip"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/replica"
)

func TestTheProxyHasTheWeightOfTheBackendsBehindIt(t *testing.T) {
	at := netip.MustParseAddr("169.254.74.47")
	for _, c := range []struct {
		weight int
		own    uint16
		others []uint16
		state  datapath.State
	}{
		{3, 3, []uint16{1, 200}, datapath.Active},
		{256, 256, []uint16{1, 200}, datapath.Active},
		{512, 256, []uint16{1, 100}, datapath.Active},
		{0, 1, []uint16{1, 200}, datapath.Draining},
	} {
		before := datapath.Service{Key: keyAt(443), Backends: []datapath.Backend{{ID: "a", Weight: 1}, {ID: "z", Weight: 200}}}
		got := withProxy(before, at, c.weight).Backends
		own := datapath.Backend{ID: proxyBackend, Address: at, Port: 443, Weight: c.own, State: c.state, Up: true}
		if len(got) != 3 || got[0].Weight != c.others[0] || got[1].Weight != c.others[1] || got[2].ID != own.ID || got[2].Weight != own.Weight || got[2].State != own.State || got[2].Address != at || got[2].Port != 443 || !got[2].Up {
			t.Errorf("%d: %+v", c.weight, got)
		}
		if before.Backends[1].Weight != 200 {
			t.Error("the service itself was changed")
		}
	}
}

func TestTheProxyGetsANumberThatNoBackendHas(t *testing.T) {
	session := &Session{Backends: map[string]SessionBackend{"a": {Number: replica.NumberMost}, "b": {Number: replica.NumberMost - 2}}}
	if got := freeNumber(session); got != replica.NumberMost-1 {
		t.Errorf("number %d", got)
	}
}

// Those that take connections by session again keep only what they have there.
func TestOnlyClientsOfBackendsThatNeedTheProxyReturnByIt(t *testing.T) {
	session := &Session{Backends: map[string]SessionBackend{"a": {}}, Returns: map[string]bool{"d": true}}
	got := session.clientsOf([]datapath.Backend{
		{ID: "a", State: datapath.Draining, Up: true}, {ID: "b", State: datapath.Active, Up: true}, {ID: "c", State: datapath.Active},
		{ID: "d", State: datapath.Draining, Up: true}, {ID: "e", State: datapath.Draining, Up: true},
	})
	if !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("by the proxy: %v", got)
	}
}
