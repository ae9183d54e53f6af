package interop_test

import (
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

// variants are the configurations of a router or reflector and of a speaker, and the settings of our
// engines for them.
var variants = []struct {
	name, text, speaker string
	as                  uint32
	like                func(bgp.Desired) bgp.Desired
}{
	{"of its AS", "", "", bgptest.AS, plainly},
	{"of another AS", "-external", "", 65100, plainly},
	{"of its AS, strictly", "-strict-internal", "-strict", bgptest.AS, strictly},
	{"of another AS, strictly", "-strict", "-strict", 65100, strictly},
}

func TestThirdPartyRouters(t *testing.T) {
	t.Parallel()
	for _, router := range []program{frr, bird} {
		for _, c := range variants {
			t.Run(router.name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				n := newNetwork(t, 3)
				var reflectors []*bgptest.Process
				for _, reflector := range n.reflectors {
					desired := bgptest.Reflector(reflector, n.router)
					if c.as != bgptest.AS {
						desired = external(desired, n.router.IPv4, c.as)
					}
					reflectors = append(reflectors, set(t, reflector, c.like(desired)))
				}
				of := func(speaker *bgptest.Host) bgp.Desired { return c.like(bgptest.Speaker(speaker, n.reflectors...)) }
				var speakers []*bgptest.Process
				for _, speaker := range n.speakers {
					speakers = append(speakers, set(t, speaker, of(speaker)))
				}
				router.start(t, n.router, textOf(router)+c.text+".conf", password)
				kernelGoesBy(t, n.router, n.speakers...)
				if of(n.speakers[0]).Peers[0].Detection != (bgp.Detection{}) {
					for _, reflector := range reflectors {
						waitForBFD(t, reflector, n.router)
					}
				}

				none := of(n.speakers[0])
				none.Offers = nil
				_, err := speakers[0].Set(none)
				must(t, err)
				kernelGoesBy(t, n.router, n.speakers[1:]...)

				drains(t, n, speakers[1], of(n.speakers[1]), n.speakers[1], n.speakers[2])
				_, err = speakers[1].Set(drained(of(n.speakers[1]), n.speakers[1]))
				must(t, err)
				kernelGoesBy(t, n.router, n.speakers[2])
				speakers[2].Kill() // the last resort is used
				kernelGoesBy(t, n.router, n.speakers[1])
			})
		}
	}
}

// TestRoutersWithoutReflectors is about balancers that advertise to routers directly, also with
// router configurations from before that was supported.
func TestRoutersWithoutReflectors(t *testing.T) {
	t.Parallel()
	for _, router := range []program{frr, bird} {
		for _, c := range []struct {
			name, text string
			as         uint32
			like       func(bgp.Desired) bgp.Desired
		}{
			{"of its AS", "-direct-internal", bgptest.AS, plainly},
			{"of another AS", "-direct", 65100, plainly},
			{"of another AS, strictly", "-direct-strict", 65100, strictly},
		} {
			t.Run(router.name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				n := newNetwork(t, 3)
				of := func(speaker *bgptest.Host) bgp.Desired {
					return c.like(external(bgptest.Speaker(speaker, n.router), n.router.IPv4, c.as))
				}
				router.start(t, n.router, textOf(router)+c.text+".conf", password)
				var speakers []*bgptest.Process
				for _, speaker := range n.speakers {
					speakers = append(speakers, set(t, speaker, of(speaker)))
				}
				kernelGoesBy(t, n.router, n.speakers...)
				if of(n.speakers[0]).Peers[0].Detection != (bgp.Detection{}) {
					waitForBFD(t, speakers[0], n.router)
				}
				none := of(n.speakers[0])
				none.Offers = nil
				_, err := speakers[0].Set(none)
				must(t, err)
				kernelGoesBy(t, n.router, n.speakers[1:]...)
				drains(t, n, speakers[1], of(n.speakers[1]), n.speakers[1], n.speakers[2])
				speakers[2].Kill()
				kernelGoesBy(t, n.router, n.speakers[1])
			})
		}
	}
}

// No engine between has the speakers' AS.
func TestOurRouterOfAnotherASThatSpeakersCall(t *testing.T) {
	t.Parallel()
	const as = 65100
	n := newNetwork(t, 0)
	desired := bgptest.Router(n.router, n.reflectors...)
	desired.AS = as
	router := set(t, n.router, desired)
	stays, leaves := n.reflectors[0], n.reflectors[1] // the two that are configured on it
	set(t, stays, external(bgptest.Speaker(stays, n.router), n.router.IPv4, as))
	speaks := external(bgptest.Speaker(leaves, n.router), n.router.IPv4, as)
	speaker := set(t, leaves, speaks)
	routerGoesBy(t, router, stays, leaves)
	_, err := speaker.Set(drained(speaks, leaves))
	must(t, err)
	routerGoesBy(t, router, stays)
	_, err = speaker.Set(speaks)
	must(t, err)
	routerGoesBy(t, router, stays, leaves)
}

// drained returns the settings of a speaker that should receive no new flows.
func drained(desired bgp.Desired, host *bgptest.Host) bgp.Desired {
	desired.Offers = bgptest.Offers(host, bgp.Offer{Preference: bgp.Drained, Communities: []bgp.Community{bgp.GracefulShutdown}})
	return desired
}

// drains drains one of two speakers, and restores it.
func drains(t *testing.T, n *network, speaker *bgptest.Process, desired bgp.Desired, host, other *bgptest.Host) {
	t.Helper()
	_, err := speaker.Set(drained(desired, host))
	must(t, err)
	kernelGoesBy(t, n.router, other)
	_, err = speaker.Set(desired)
	must(t, err)
	kernelGoesBy(t, n.router, host, other)
}

// textOf is the prefix of a program's configurations.
func textOf(p program) string {
	return map[string]string{frr.name: "frr", bird.name: "bird", exabgp.name: "exabgp", gobgpd.name: "gobgp"}[p.name]
}
