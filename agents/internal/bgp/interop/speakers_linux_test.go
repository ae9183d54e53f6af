package interop_test

import (
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

func TestThirdPartySpeakers(t *testing.T) {
	t.Parallel()
	for _, speaker := range []program{exabgp, gobgpd} {
		for _, c := range []struct {
			name, text string
			like       func(bgp.Desired) bgp.Desired
		}{
			{"plainly", "", plainly},
			{"strictly", "-strict-internal", strictly},
		} {
			t.Run(speaker.name+" "+c.name, func(t *testing.T) {
				t.Parallel()
				n := newNetwork(t, 1)
				for _, reflector := range n.reflectors {
					set(t, reflector, c.like(bgptest.Reflector(reflector, n.router)))
				}
				set(t, n.speakers[0], c.like(bgptest.Speaker(n.speakers[0], n.reflectors...)))
				bird.start(t, n.router, "bird"+c.text+".conf", password)
				withdrawsAndReturns(t, n, speaker, textOf(speaker)+c.text+".conf")
			})
		}
	}
}

// TestSpeakersWithoutReflectors is about hosts that advertise to third-party routers directly, next
// to our balancers.
func TestSpeakersWithoutReflectors(t *testing.T) {
	t.Parallel()
	for _, router := range []program{frr, bird} {
		for _, speaker := range []program{exabgp, gobgpd} {
			for _, c := range []struct {
				name, text string
				as         uint32
				like       func(bgp.Desired) bgp.Desired
			}{
				{"of its AS", "-direct-internal", bgptest.AS, plainly},
				{"of another AS", "-direct", 65100, plainly},
				{"of another AS, strictly", "-direct-strict", 65100, strictly},
			} {
				t.Run(speaker.name+" to "+router.name+" "+c.name, func(t *testing.T) {
					t.Parallel()
					n := newNetwork(t, 1)
					router.start(t, n.router, textOf(router)+c.text+".conf", password)
					set(t, n.speakers[0], c.like(external(bgptest.Speaker(n.speakers[0], n.router), n.router.IPv4, c.as)))
					withdrawsAndReturns(t, n, speaker, textOf(speaker)+c.text+".conf")
				})
			}
		}
	}
}

// withdrawsAndReturns adds a third-party speaker next to ours. It withdraws the services, advertises them
// again, and is killed.
func withdrawsAndReturns(t *testing.T, n *network, speaker program, text string) {
	t.Helper()
	kernelGoesBy(t, n.router, n.speakers[0])
	thirdParty := speaker.start(t, n.thirdParty, text, password)
	kernelGoesBy(t, n.router, n.thirdParty, n.speakers[0])
	kernelFollows(t, n.router, func() { thirdParty.withdraw(t) }, n.speakers[0])
	thirdParty.kill()
	again := speaker.start(t, n.thirdParty, text, password)
	kernelGoesBy(t, n.router, n.thirdParty, n.speakers[0])
	again.kill()
	kernelGoesBy(t, n.router, n.speakers[0])
}
