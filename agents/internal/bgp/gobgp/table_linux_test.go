package gobgp_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

// routeState is a route to the first service in an engine's table.
type routeState struct {
	hop  netip.Addr
	best bool
}

// waitForRoutes waits until an engine has exactly these routes to the first service.
func waitForRoutes(t *testing.T, process *bgptest.Process, want ...routeState) {
	t.Helper()
	var page bgp.Page
	waitFor(t, func() bool {
		var err error
		if page, err = process.Routes(bgp.Query{Covers: bgptest.Services[0].Addr().Next()}); err != nil {
			t.Fatal(err)
		}
		got := make([]routeState, len(page.Routes))
		for i, route := range page.Routes {
			got[i] = routeState{route.NextHop, route.Best}
		}
		return slices.Equal(got, want)
	}, func() string { return fmt.Sprintf("%s has %+v, want %+v", process.Host.Name, page.Routes, want) })
}

// Our copy of gobgp's table follows all changes of a route.
func TestTheTableMatchesGobgp(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 1)
	n.up(t)
	a, b, c := n.speakers[0].Host.IPv4, n.speakers[1].Host.IPv4, n.speakers[2].Host.IPv4
	waitForRoutes(t, n.router, routeState{a, true}, routeState{b, true}, routeState{c, true})
	waitForRoutes(t, n.reflectors[0], routeState{a, true}, routeState{b, true}, routeState{c, true})

	for _, peer := range []*bgptest.Process{n.router, n.speakers[0]} {
		given := sessionWith(t, n.reflectors[0], peer.Host.IPv4).Advertised
		if took := sessionWith(t, peer, n.reflectors[0].Host.IPv4).Received; given != took {
			t.Errorf("%s accepted %d of %d advertised routes", peer.Host.Name, took, given)
		}
	}

	drained := bgptest.Speaker(n.speakers[0].Host, hosts(n.reflectors)...)
	drained.Offers = bgptest.Offers(n.speakers[0].Host, bgp.Offer{Preference: bgp.Drained})
	set(t, n.speakers[0], drained)
	waitForRoutes(t, n.router, routeState{b, true}, routeState{c, true}, routeState{a, false})
	waitForRoutes(t, n.reflectors[0], routeState{b, true}, routeState{c, true}, routeState{a, false})

	none := drained
	none.Offers = nil
	set(t, n.speakers[0], none)
	waitForRoutes(t, n.router, routeState{b, true}, routeState{c, true})

	n.speakers[1].Kill()
	waitForRoutes(t, n.router, routeState{c, true})
	waitForRoutes(t, n.reflectors[0], routeState{c, true})

	reflector := bgptest.Reflector(n.reflectors[0].Host, n.router.Host)
	reflector.Accepts = bgptest.Services[1:]
	set(t, n.reflectors[0], reflector)
	waitForRoutes(t, n.reflectors[0], routeState{c, false})
	waitForRoutes(t, n.router)
	page, err := n.reflectors[0].Routes(bgp.Query{Prefix: bgptest.Services[0]})
	if err != nil || len(page.Routes) != 1 || !page.Routes[0].Refused || page.Routes[0].From != c || page.Total != 2 {
		t.Errorf("refused by the reflector: %+v, %v", page, err)
	}

	reflector.Peers = reflector.Peers[1:]
	set(t, n.reflectors[0], reflector)
	waitForRoutes(t, n.reflectors[0])
	set(t, n.speakers[0], bgptest.Speaker(n.speakers[0].Host, hosts(n.reflectors)...))
	waitForRoutes(t, n.speakers[0], routeState{a, true})
}
