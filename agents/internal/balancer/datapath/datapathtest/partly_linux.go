package datapathtest

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/vishvananda/netlink"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/netspace"
)

// farAddress is one more address of backend c, which no balancer has a route to.
var farAddress = netip.MustParsePrefix("10.79.0.13/32")

// routesLater sets a backend without a route, first as a new one, then as a known one.
func routesLater(t *testing.T, tr *trial) {
	p := tr.open(t)
	network := tr.network
	network.dropDefault(t, 0)
	must(t, network.Backends[2].Space.AddAddress(Interface, farAddress))

	bad := elsewhere(tr.service(ipv4, datapath.TCP, with("c", func(b *datapath.Backend) { b.Address = farAddress.Addr() })))
	services := inOrder(append(tr.all(), bad))
	set(t, p, true, tr.all()...)
	var streams []*Traffic
	for _, service := range tr.all() {
		streams = append(streams, tr.client().Start(t, service.Key, 2))
	}
	without := func(step string) {
		t.Helper()
		outcome, err := p.SetPartly(services...)
		must(t, err)
		if len(outcome.Failures) != 1 {
			t.Fatalf("%s: failures are %q", step, outcome.Failures)
		}
		failure := outcome.Failures[0]
		if failure.Service != bad.Key || failure.Backend != "c" || !strings.HasPrefix(failure.Reason, "has no route") || failure.OfEngine || !failure.OfRoutes {
			t.Errorf("%s: failure %+v", step, failure)
		}
		if outcome.Changes == 0 {
			t.Errorf("%s: nothing was changed", step)
		}
		if again, err := p.SetPartly(services...); err != nil || again.Changes != 0 || len(again.Failures) != 1 {
			t.Errorf("%s, set again: %+v, %v", step, again, err)
		}
		shows(t, p, services)
		tr.connectTo(t, bad, "a", "b")
		tr.avoids(t, bad, "c")
		for _, traffic := range streams {
			traffic.More(t, 2)
		}
	}
	without("new")
	network.routeFar(t, 0, true)
	set(t, p, true, services...)
	set(t, p, false, services...)
	lasting := tr.connectTo(t, bad, "a", "b", "c")
	network.routeFar(t, 0, false)
	without("known")
	for _, backend := range []string{"a", "b"} {
		stays(t, lasting[backend], backend)
	}
	network.routeFar(t, 0, true)
	set(t, p, true, services...)
	tr.connectTo(t, bad, "a", "b", "c")
	for _, traffic := range streams {
		traffic.Stop(t)
	}
}

// dropDefault removes the default route of IPv4 from a balancer until the test ends, but
// not the route to the client.
func (n *Network) dropDefault(t *testing.T, balancer int) {
	t.Helper()
	space, router := n.Balancers[balancer], prefix4(77, 1).Addr()
	everywhere := netip.PrefixFrom(netip.IPv4Unspecified(), 0)
	must(t, space.AddRoute(prefix4(76, 0).Masked(), router))
	if n.Routed {
		must(t, space.AddRoute(prefix4(78, 0).Masked(), router))
	}
	must(t, space.Links().RouteDel(&netlink.Route{Dst: ipNet(everywhere)}))
	t.Cleanup(func() { must(t, space.AddRoute(everywhere, router)) })
}

// routeFar adds the route to farAddress, or deletes it.
func (n *Network) routeFar(t *testing.T, balancer int, add bool) {
	t.Helper()
	n.route(t, n.Balancers[balancer], Interface, add)
	if n.Routed {
		n.route(t, n.Router, "far", add)
	}
}

func (n *Network) route(t *testing.T, space *netspace.Space, name string, add bool) {
	t.Helper()
	link, err := space.Links().LinkByName(name)
	must(t, err)
	route := &netlink.Route{Dst: ipNet(farAddress), LinkIndex: link.Attrs().Index, Scope: netlink.SCOPE_LINK}
	if n.Routed && space != n.Router {
		route.Scope, route.Gw = netlink.SCOPE_UNIVERSE, prefix4(77, 1).Addr().AsSlice()
	}
	if add {
		must(t, space.Links().RouteReplace(route))
		t.Cleanup(func() { _ = space.Links().RouteDel(route) })
	} else {
		must(t, space.Links().RouteDel(route))
	}
}

// carriesLater adds a service that the engine doesn't carry, and then in a way that it
// does.
func carriesLater(t *testing.T, tr *trial) {
	p := tr.open(t)
	good := tr.all()
	late := elsewhere(tr.service(ipv4, datapath.TCP))
	bad := late
	bad.Delivery = "pigeon"
	outcome, err := p.SetPartly(inOrder(append(tr.all(), bad))...)
	must(t, err)
	if len(outcome.Failures) != 1 || outcome.Failures[0].Service != bad.Key || outcome.Failures[0].Previous || !outcome.Failures[0].OfEngine {
		t.Fatalf("failures %+v", outcome.Failures)
	}
	shows(t, p, good)
	for _, service := range good {
		tr.connectTo(t, service, "a", "b", "c")
	}
	set(t, p, true, inOrder(append(tr.all(), late))...)
	tr.connectTo(t, late, "a", "b", "c")
}
