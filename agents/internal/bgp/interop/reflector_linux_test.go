package interop_test

import (
	"regexp"
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

// TestFRRAsTheReflector uses only our speakers: every route must reach the kernel of a third-party
// router, also in another AS. A reflector easily sends such a router one route of many, or itself
// as the next hop.
func TestFRRAsTheReflector(t *testing.T) {
	t.Parallel()
	for _, router := range []program{frr, bird} {
		for _, c := range variants {
			t.Run("for "+router.name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				n := newNetwork(t, 3)
				reflector := n.reflectors[0]
				reflectorFRR := frr.start(t, reflector, "frr-reflector"+c.text+".conf", password)
				router.start(t, n.router, textOf(router)+c.text+".conf", password)
				of := func(speaker *bgptest.Host) bgp.Desired { return c.like(bgptest.Speaker(speaker, reflector)) }
				var speakers []*bgptest.Process
				for _, speaker := range n.speakers {
					speakers = append(speakers, set(t, speaker, of(speaker)))
				}
				kernelGoesBy(t, n.router, n.speakers...)
				if of(n.speakers[0]).Peers[0].Detection != (bgp.Detection{}) {
					waitForBFD(t, speakers[0], reflector)
				}
				settles(t, reflectorFRR, n.router)
				none := of(n.speakers[0])
				none.Offers = nil
				_, err := speakers[0].Set(none)
				must(t, err)
				kernelGoesBy(t, n.router, n.speakers[1:]...)
				speakers[2].Kill()
				kernelGoesBy(t, n.router, n.speakers[1])
			})
		}
	}
}

// settles waits until FRR's session with a router is a few seconds old. FRR 8.4 may not forward a
// withdrawal that arrives in the first seconds to a peer that receives all routes.
func settles(t *testing.T, frr *daemon, router *bgptest.Host) {
	t.Helper()
	up := regexp.MustCompile(`"bgpTimerUpMsec": ?([0-9]+)`)
	var output string
	waitFor(t, func() bool {
		output = frr.show(t, "show bgp neighbors "+router.IPv4.String()+" json")
		found := up.FindStringSubmatch(output)
		return found != nil && (len(found[1]) > 4 || len(found[1]) == 4 && found[1] > "3000")
	}, func() string { return output })
}

// Our router accepts all paths from FRR.
func TestFRRReflectsToOurRouter(t *testing.T) {
	t.Parallel()
	for _, c := range variants {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, 2)
			reflector := n.reflectors[0]
			frr.start(t, reflector, "frr-reflector"+c.text+".conf", password)
			desired := bgptest.Router(n.router, reflector)
			desired.AS = c.as
			router := set(t, n.router, c.like(desired))
			for _, speaker := range n.speakers {
				set(t, speaker, c.like(bgptest.Speaker(speaker, reflector)))
			}
			thirdParty := exabgp.start(t, n.thirdParty, "exabgp"+c.speaker+".conf", password)
			routerGoesBy(t, router, n.thirdParty, n.speakers[0], n.speakers[1])
			thirdParty.kill()
			routerGoesBy(t, router, n.speakers...)
		})
	}
}
