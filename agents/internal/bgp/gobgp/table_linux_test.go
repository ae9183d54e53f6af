package gobgp_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

// stand is a route to the first service as somebody sees it.
type stand struct {
	hop  netip.Addr
	best bool
}

// sees waits until somebody has exactly these routes to the first service.
func sees(t *testing.T, process *bgptest.Process, want ...stand) {
	t.Helper()
	var page bgp.Page
	waitFor(t, func() bool {
		var err error
		if page, err = process.Routes(bgp.Query{Covers: bgptest.Services[0].Addr().Next()}); err != nil {
			t.Fatal(err)
		}
		got := make([]stand, len(page.Routes))
		for i, route := range page.Routes {
			got[i] = stand{route.NextHop, route.Best}
		}
		return slices.Equal(got, want)
	}, func() string { return fmt.Sprintf("%s sees %+v, not %+v", process.Host.Name, page.Routes, want) })
}

// What is read beside gobgp's own table follows it in all that may happen to a route.
func TestWhatIsReadIsWhatGobgpChose(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 1)
	n.up(t)
	a, b, c := n.speakers[0].Host.IPv4, n.speakers[1].Host.IPv4, n.speakers[2].Host.IPv4
	sees(t, n.router, stand{a, true}, stand{b, true}, stand{c, true})
	sees(t, n.reflectors[0], stand{a, true}, stand{b, true}, stand{c, true})

	for _, peer := range []*bgptest.Process{n.router, n.speakers[0]} {
		given := sessionWith(t, n.reflectors[0], peer.Host.IPv4).Given
		if took := sessionWith(t, peer, n.reflectors[0].Host.IPv4).Received; given != took {
			t.Errorf("%s took %d of %d routes that it was given", peer.Host.Name, took, given)
		}
	}

	drained := bgptest.Speaker(n.speakers[0].Host, hosts(n.reflectors)...)
	drained.Offers = bgptest.Offers(n.speakers[0].Host, bgp.Offer{Preference: bgp.Drained})
	set(t, n.speakers[0], drained)
	sees(t, n.router, stand{b, true}, stand{c, true}, stand{a, false})
	sees(t, n.reflectors[0], stand{b, true}, stand{c, true}, stand{a, false})

	none := drained
	none.Offers = nil
	set(t, n.speakers[0], none)
	sees(t, n.router, stand{b, true}, stand{c, true})

	n.speakers[1].Kill()
	sees(t, n.router, stand{c, true})
	sees(t, n.reflectors[0], stand{c, true})

	reflector := bgptest.Reflector(n.reflectors[0].Host, n.router.Host)
	reflector.Accepts = bgptest.Services[1:]
	set(t, n.reflectors[0], reflector)
	sees(t, n.reflectors[0], stand{c, false})
	sees(t, n.router)
	page, err := n.reflectors[0].Routes(bgp.Query{Prefix: bgptest.Services[0]})
	if err != nil || len(page.Routes) != 1 || !page.Routes[0].Refused || page.Routes[0].From != c || page.Known != 2 {
		t.Errorf("the reflector refuses %+v, %v", page, err)
	}

	reflector.Peers = reflector.Peers[1:]
	set(t, n.reflectors[0], reflector)
	sees(t, n.reflectors[0])
	set(t, n.speakers[0], bgptest.Speaker(n.speakers[0].Host, hosts(n.reflectors)...))
	sees(t, n.speakers[0], stand{a, true})
}
