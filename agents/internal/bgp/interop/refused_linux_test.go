package interop_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

// There is no session while the placeholder holds a wrong password. It is established as soon as
// the password is the cluster's.
func TestStrictTextsTakeOnePassword(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		program program
		text    string
		host    func(*network) *bgptest.Host
		ours    func(*network) (*bgptest.Host, bgp.Desired)
	}{
		{frr, "frr-strict.conf", router, reflectorOf(65100)},
		{bird, "bird-strict.conf", router, reflectorOf(65100)},
		{frr, "frr-strict-internal.conf", router, reflectorOf(bgptest.AS)},
		{bird, "bird-strict-internal.conf", router, reflectorOf(bgptest.AS)},
		{frr, "frr-reflector-strict.conf", reflector, toReflector},
		{frr, "frr-direct-strict.conf", router, toRouter},
		{bird, "bird-direct-strict.conf", router, toRouter},
		{exabgp, "exabgp-strict.conf", thirdParty, reflectorOf(bgptest.AS)},
		{gobgpd, "gobgp-strict.conf", thirdParty, reflectorOf(bgptest.AS)},
	} {
		t.Run(c.text, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, 1)
			host, desired := c.ours(n)
			process := set(t, host, strictly(desired))
			wrong := c.program.start(t, c.host(n), c.text, "another-password")
			staysOut(t, process, c.host(n))
			wrong.kill()
			c.program.start(t, c.host(n), c.text, password)
			isUp(t, process, c.host(n))
		})
	}
}

// One end's packets arrive as if from behind a router, and then unchanged. Until that end notices,
// its session may seem to be up; no route passes.
func TestStrictConfigurationsAcceptOnlyNeighbours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		router      string
		speaker     program // third-party; none: one of ours
		speakerText string
		reflector   string // FRR's configuration; empty: ours, with the settings that the router's configuration expects
		far         func(*network) *bgptest.Host
	}{
		{router: "frr-strict.conf", far: reflector},
		{router: "bird-strict.conf", far: reflector},
		{router: "frr-strict-internal.conf", far: reflector},
		{router: "bird-strict-internal.conf", far: reflector},
		{router: "frr-direct-strict.conf", far: speaker},
		{router: "bird-direct-strict.conf", far: speaker},
		// Its configuration accepts balancers from any distance.
		{router: "bird-strict.conf", reflector: "frr-reflector-strict.conf", far: router},
		{router: "bird-strict-internal.conf", speaker: gobgpd, speakerText: "gobgp-strict.conf", far: reflector},
		{router: "bird-strict-internal.conf", speaker: gobgpd, speakerText: "gobgp-strict.conf", far: thirdParty},
		// Its configuration accepts peers from any distance.
		{router: "bird-strict-internal.conf", speaker: exabgp, speakerText: "exabgp-strict.conf", far: thirdParty},
	} {
		for _, isFar := range []bool{true, false} {
			name := fmt.Sprintf("%s %s %s far %t", c.router, c.reflector, c.speakerText, isFar)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				n := newNetwork(t, 1)
				if isFar {
					goFarAway(t, c.far(n))
				}
				advertises := n.reflectors[0]
				as := uint32(bgptest.AS)
				if !strings.Contains(c.router, "internal") {
					as = 65100
				}
				switch {
				case strings.Contains(c.router, "direct"):
					advertises = n.router
				case c.reflector != "":
					frr.start(t, advertises, c.reflector, password)
				default:
					set(t, advertises, strictly(external(bgptest.Reflector(advertises, n.router), n.router.IPv4, as)))
				}
				offers := n.speakers[0]
				if c.speakerText == "" {
					set(t, offers, strictly(external(bgptest.Speaker(offers, advertises), n.router.IPv4, as)))
				} else {
					offers = n.thirdParty
					c.speaker.start(t, offers, c.speakerText, password)
				}
				map[bool]program{true: frr, false: bird}[strings.HasPrefix(c.router, "frr")].start(t, n.router, c.router, password)
				if isFar {
					kernelGoesByNone(t, n.router)
				} else {
					kernelGoesBy(t, n.router, offers)
				}
			})
		}
	}
}

// goFarAway makes TCP packets of a host arrive as if they had crossed a router.
func goFarAway(t *testing.T, host *bgptest.Host) {
	t.Helper()
	for _, line := range []string{
		"add table inet far", "add chain inet far out { type filter hook output priority 0; }",
		"add rule inet far out meta l4proto tcp ip ttl set 254",
	} {
		if output, err := host.Space.Run(t.Context(), "nft", line); err != nil {
			t.Fatalf("nft %s: %v: %s", line, err, output)
		}
	}
}

// kernelGoesByNone checks for a while that the router's kernel has no route to the services.
func kernelGoesByNone(t *testing.T, router *bgptest.Host) {
	t.Helper()
	for began := time.Now(); time.Since(began) < 6*time.Second; time.Sleep(100 * time.Millisecond) {
		for _, prefix := range bgptest.Services {
			if hops := hopsOf(t, router, prefix); len(hops) > 0 {
				t.Fatalf("the kernel routes %s via %v", prefix, hops)
			}
		}
	}
}

func router(n *network) *bgptest.Host     { return n.router }
func reflector(n *network) *bgptest.Host  { return n.reflectors[0] }
func thirdParty(n *network) *bgptest.Host { return n.thirdParty }
func speaker(n *network) *bgptest.Host    { return n.speakers[0] }

func reflectorOf(as uint32) func(*network) (*bgptest.Host, bgp.Desired) {
	return func(n *network) (*bgptest.Host, bgp.Desired) {
		desired := bgptest.Reflector(n.reflectors[0], n.router)
		if as != bgptest.AS {
			desired = external(desired, n.router.IPv4, as)
		}
		return n.reflectors[0], desired
	}
}

func toReflector(n *network) (*bgptest.Host, bgp.Desired) {
	return n.speakers[0], bgptest.Speaker(n.speakers[0], n.reflectors[0])
}

func toRouter(n *network) (*bgptest.Host, bgp.Desired) {
	return n.speakers[0], external(bgptest.Speaker(n.speakers[0], n.router), n.router.IPv4, 65100)
}

func isUp(t *testing.T, process *bgptest.Process, host *bgptest.Host) {
	t.Helper()
	waitFor(t, func() bool { return sessionWith(t, process, host).State == bgp.Established },
		func() string { return host.Name + " has no session" })
}
