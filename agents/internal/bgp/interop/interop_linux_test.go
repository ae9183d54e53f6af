package interop_test

import (
	"flag"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/bgp/gobgp"
)

// TestMain runs more tests in parallel than there are processors: most of the time they wait for
// timers of daemons.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "6"); err != nil {
		panic(err)
	}
	bgptest.Main(m, func() bgp.Engine { return gobgp.Open(slog.New(slog.NewTextHandler(os.Stderr, nil))) })
}

// network has the addresses of the configurations: the router is .1, reflectors are .2 and .3, a
// third-party speaker is .4, and our speakers follow.
type network struct {
	router     *bgptest.Host
	reflectors []*bgptest.Host
	thirdParty *bgptest.Host
	speakers   []*bgptest.Host
}

func newNetwork(t *testing.T, speakers int) *network {
	t.Helper()
	lan := bgptest.NewLAN(t)
	n := &network{router: lan.Add(t, "router")}
	n.reflectors = []*bgptest.Host{lan.Add(t, "reflector1"), lan.Add(t, "reflector2")}
	n.thirdParty = lan.Add(t, "thirdParty")
	for i := range speakers {
		n.speakers = append(n.speakers, lan.Add(t, fmt.Sprintf("speaker%d", i+1)))
	}
	return n
}

// strictly adds password, GTSM and BFD to the peers, and a preference to the routes, as the
// configurations called strict do.
func strictly(desired bgp.Desired) bgp.Desired {
	for i := range desired.Peers {
		peer := &desired.Peers[i]
		peer.Password, peer.NearOnly = password, true
		peer.Detection = bgp.Detection{Interval: time.Second, Multiplier: 3}
	}
	for i := range desired.Offers {
		desired.Offers[i].Preference, desired.Offers[i].MED = 200, 20
	}
	return desired
}

// plainly changes nothing.
func plainly(desired bgp.Desired) bgp.Desired { return desired }

// external changes the AS of a peer.
func external(desired bgp.Desired, peer netip.Addr, as uint32) bgp.Desired {
	for i := range desired.Peers {
		if desired.Peers[i].Address == peer {
			desired.Peers[i].AS, desired.Peers[i].Reflected = as, desired.Peers[i].Reflected && as == bgptest.AS
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

// kernelGoesBy waits until the router's kernel uses exactly these next hops for the services.
func kernelGoesBy(t *testing.T, router *bgptest.Host, hops ...*bgptest.Host) {
	t.Helper()
	kernelFollows(t, router, func() {}, hops...)
}

// kernelFollows repeats the request every few seconds: ExaBGP may miss a signal while its
// session is established.
func kernelFollows(t *testing.T, router *bgptest.Host, request func(), hops ...*bgptest.Host) {
	t.Helper()
	var requestedAt time.Time
	for _, prefix := range bgptest.Services {
		want, got := addresses(prefix, hops), []netip.Addr{}
		waitFor(t, func() bool {
			if time.Since(requestedAt) > 3*time.Second {
				requestedAt = time.Now()
				request()
			}
			got = hopsOf(t, router, prefix)
			return slices.Equal(got, want)
		}, func() string { return fmt.Sprintf("the kernel routes %s via %v, want %v", prefix, got, want) })
	}
}

// hopsOf returns the next hops of a prefix in a kernel.
func hopsOf(t *testing.T, router *bgptest.Host, prefix netip.Prefix) (hops []netip.Addr) {
	t.Helper()
	family := unix.AF_INET
	if prefix.Addr().Is6() {
		family = unix.AF_INET6
	}
	routes, err := router.Space.Links().RouteList(nil, family)
	must(t, err)
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

// sessionWith returns the session with a host; the zero value if there is none.
func sessionWith(t *testing.T, process *bgptest.Process, host *bgptest.Host) bgp.Session {
	t.Helper()
	sessions, err := process.Sessions()
	must(t, err)
	for _, session := range sessions {
		if session.Peer == host.IPv4 {
			return session
		}
	}
	return bgp.Session{}
}

// waitForBFD waits until BFD is up with a host, which requires both ends.
func waitForBFD(t *testing.T, process *bgptest.Process, host *bgptest.Host) {
	t.Helper()
	waitFor(t, func() bool { return sessionWith(t, process, host).Detection == "up" },
		func() string {
			return fmt.Sprintf("BFD with %s is %q", host.Name, sessionWith(t, process, host).Detection)
		})
}

// staysOut checks for a while that a host has no session and the kernel no route. No event shows
// that nothing will happen; after three connection attempts of both ends it is not an accident.
func staysOut(t *testing.T, process *bgptest.Process, host *bgptest.Host) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 6*time.Second; time.Sleep(100 * time.Millisecond) {
		if session := sessionWith(t, process, host); session.State == bgp.Established || session.EstablishedCount > 0 {
			t.Fatalf("there is a session with %s: %+v", host.Name, session)
		}
	}
}

// routerGoesBy waits until our router uses exactly these next hops for the services.
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
