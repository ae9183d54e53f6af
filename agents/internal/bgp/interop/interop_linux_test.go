package interop_test

import (
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/bgp/gobgp"
)

func TestMain(m *testing.M) {
	bgptest.Main(m, func() bgp.Engine { return gobgp.Open(slog.New(slog.NewTextHandler(os.Stderr, nil))) })
}

// network has the addresses that the texts name: the router is .1, reflectors are .2 and
// .3, a speaker that isn't ours is .4, and ours follow.
type network struct {
	router     *bgptest.Host
	reflectors []*bgptest.Host
	guest      *bgptest.Host
	speakers   []*bgptest.Host
}

func newNetwork(t *testing.T, speakers int) *network {
	t.Helper()
	lan := bgptest.NewLAN(t)
	n := &network{router: lan.Add(t, "router")}
	n.reflectors = []*bgptest.Host{lan.Add(t, "reflector1"), lan.Add(t, "reflector2")}
	n.guest = lan.Add(t, "guest")
	for i := range speakers {
		n.speakers = append(n.speakers, lan.Add(t, fmt.Sprintf("speaker%d", i+1)))
	}
	return n
}

// external makes a desire's peer at an address one of another AS.
func external(desired bgp.Desired, peer netip.Addr, as uint32) bgp.Desired {
	for i := range desired.Peers {
		if desired.Peers[i].Address == peer {
			desired.Peers[i].AS, desired.Peers[i].Reflected = as, false
		}
	}
	return desired
}

func set(t *testing.T, host *bgptest.Host, desired bgp.Desired) *bgptest.Process {
	t.Helper()
	process := bgptest.Start(t, host)
	if _, err := process.Set(desired); err != nil {
		t.Fatalf("set %s: %v", host.Name, err)
	}
	return process
}

// kernelGoesBy waits until the router's kernel sends the services by exactly these.
func kernelGoesBy(t *testing.T, router *bgptest.Host, hops ...*bgptest.Host) {
	t.Helper()
	for _, prefix := range bgptest.Services {
		want, got := addresses(prefix, hops), []netip.Addr{}
		waitFor(t, func() bool {
			routes, err := router.Space.Links().RouteList(nil, map[bool]int{true: unix.AF_INET, false: unix.AF_INET6}[prefix.Addr().Is4()])
			must(t, err)
			got = hopsTo(prefix, routes)
			return slices.Equal(got, want)
		}, func() string { return fmt.Sprintf("the kernel sends %s by %v, not by %v", prefix, got, want) })
	}
}

func hopsTo(prefix netip.Prefix, routes []netlink.Route) (hops []netip.Addr) {
	for _, route := range routes {
		if route.Dst == nil || route.Dst.String() != prefix.String() {
			continue
		}
		ways := []*netlink.NexthopInfo{{Gw: route.Gw}}
		if len(route.MultiPath) > 0 {
			ways = route.MultiPath
		}
		for _, way := range ways {
			if hop, ok := netip.AddrFromSlice(way.Gw); ok {
				hops = append(hops, hop.Unmap())
			}
		}
	}
	slices.SortFunc(hops, netip.Addr.Compare)
	return hops
}

func addresses(prefix netip.Prefix, hosts []*bgptest.Host) (addresses []netip.Addr) {
	for _, host := range hosts {
		address := host.IPv4
		if prefix.Addr().Is6() {
			address = host.IPv6
		}
		addresses = append(addresses, address)
	}
	return addresses
}

func TestOtherPeoplesRouters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		start func(*testing.T, *bgptest.Host, string)
		text  string
		as    uint32
	}{
		{"FRR", frr, "frr.conf", bgptest.AS},
		{"FRR of another AS", frr, "frr-external.conf", 65100},
		{"BIRD", bird, "bird.conf", bgptest.AS},
		{"BIRD of another AS", bird, "bird-external.conf", 65100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, 3)
			for _, reflector := range n.reflectors {
				desired := bgptest.Reflector(reflector, n.router)
				if c.as != bgptest.AS {
					desired = external(desired, n.router.IPv4, c.as)
				}
				set(t, reflector, desired)
			}
			var speakers []*bgptest.Process
			for _, speaker := range n.speakers {
				speakers = append(speakers, set(t, speaker, bgptest.Speaker(speaker, n.reflectors...)))
			}
			c.start(t, n.router, c.text)
			kernelGoesBy(t, n.router, n.speakers...)

			none := bgptest.Speaker(n.speakers[0], n.reflectors...)
			none.Offers = nil
			_, err := speakers[0].Set(none)
			must(t, err)
			kernelGoesBy(t, n.router, n.speakers[1:]...)

			again := bgptest.Speaker(n.speakers[1], n.reflectors...)
			_, err = speakers[1].Set(drained(again, n.speakers[1]))
			must(t, err)
			kernelGoesBy(t, n.router, n.speakers[2])
			_, err = speakers[1].Set(again)
			must(t, err)
			kernelGoesBy(t, n.router, n.speakers[1:]...)

			_, err = speakers[1].Set(drained(again, n.speakers[1]))
			must(t, err)
			kernelGoesBy(t, n.router, n.speakers[2])
			speakers[2].Kill() // the last resort takes over
			kernelGoesBy(t, n.router, n.speakers[1])
		})
	}
}

// drained is what a speaker says that should take no new flows.
func drained(desired bgp.Desired, host *bgptest.Host) bgp.Desired {
	desired.Offers = bgptest.Offers(host, bgp.Offer{Preference: bgp.Drained, Communities: []bgp.Community{bgp.GracefulShutdown}})
	return desired
}

// Without a reflector, nobody of the speakers' AS stands between them and a router of
// another one. They are where its text has reflectors.
func TestARouterOfAnotherASThatSpeakersCall(t *testing.T) {
	t.Parallel()
	const as = 65100
	texts := func(start func(*testing.T, *bgptest.Host, string), text string) func(*testing.T, *network) func(...*bgptest.Host) {
		return func(t *testing.T, n *network) func(...*bgptest.Host) {
			start(t, n.router, text)
			return func(hops ...*bgptest.Host) { t.Helper(); kernelGoesBy(t, n.router, hops...) }
		}
	}
	for _, c := range []struct {
		name  string
		start func(*testing.T, *network) func(hops ...*bgptest.Host)
	}{
		{"FRR", texts(frr, "frr-external.conf")},
		{"BIRD", texts(bird, "bird-external.conf")},
		{"ours", func(t *testing.T, n *network) func(...*bgptest.Host) {
			desired := bgptest.Router(n.router, n.reflectors...)
			desired.AS = as
			router := set(t, n.router, desired)
			return func(hops ...*bgptest.Host) { t.Helper(); routerGoesBy(t, router, hops...) }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, 0)
			goesBy := c.start(t, n)
			stays, drains := n.reflectors[0], n.reflectors[1]
			set(t, stays, external(bgptest.Speaker(stays, n.router), n.router.IPv4, as))
			speaks := external(bgptest.Speaker(drains, n.router), n.router.IPv4, as)
			speaker := set(t, drains, speaks)
			goesBy(stays, drains)
			for _, step := range []struct {
				desired bgp.Desired
				hops    []*bgptest.Host
			}{{drained(speaks, drains), []*bgptest.Host{stays}}, {speaks, []*bgptest.Host{stays, drains}}} {
				_, err := speaker.Set(step.desired)
				must(t, err)
				goesBy(step.hops...)
			}
		})
	}
}

func TestOtherPeoplesSpeakers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		start func(*testing.T, *bgptest.Host, string) *daemon
		text  string
	}{
		{"exabgp", exabgp, "exabgp.conf"},
		{"gobgpd", gobgpd, "gobgp.conf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, 1)
			for _, reflector := range n.reflectors {
				set(t, reflector, bgptest.Reflector(reflector, n.router))
			}
			router := set(t, n.router, bgptest.Router(n.router, n.reflectors...))
			set(t, n.speakers[0], bgptest.Speaker(n.speakers[0], n.reflectors...))
			guest := c.start(t, n.guest, c.text)
			routerGoesBy(t, router, n.guest, n.speakers[0])
			guest.kill()
			routerGoesBy(t, router, n.speakers[0])
		})
	}
}

func TestFRRAsTheReflector(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		as         uint32
	}{
		{"for a router of its AS", "frr-reflector.conf", bgptest.AS},
		{"for a router of another AS", "frr-reflector-external.conf", 65100},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, 3)
			reflector := n.reflectors[0]
			frr(t, reflector, c.text)
			desired := bgptest.Router(n.router, reflector)
			desired.AS = c.as
			router := set(t, n.router, desired)
			var last *bgptest.Process
			var speaks bgp.Desired
			for _, speaker := range n.speakers {
				speaks = bgptest.Speaker(speaker, reflector)
				last = set(t, speaker, speaks)
			}
			routerGoesBy(t, router, n.speakers...)
			_, err := last.Set(drained(speaks, n.speakers[2]))
			must(t, err)
			routerGoesBy(t, router, n.speakers[:2]...)
			_, err = last.Set(speaks)
			must(t, err)
			routerGoesBy(t, router, n.speakers...)
			last.Kill()
			routerGoesBy(t, router, n.speakers[:2]...)
		})
	}
}

// routerGoesBy waits until our router would send the services by exactly these.
func routerGoesBy(t *testing.T, router *bgptest.Process, hops ...*bgptest.Host) {
	t.Helper()
	for _, prefix := range bgptest.Services {
		want, got := addresses(prefix, hops), []netip.Addr{}
		waitFor(t, func() bool {
			var err error
			got, err = router.Hops(prefix)
			must(t, err)
			return slices.Equal(got, want)
		}, func() string { return fmt.Sprintf("%s goes by %v, not by %v", prefix, got, want) })
	}
}
