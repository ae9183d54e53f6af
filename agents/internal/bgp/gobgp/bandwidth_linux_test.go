package gobgp_test

import (
	"fmt"
	"testing"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

func TestABandwidthReachesTheRouterThroughReflectors(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 2)
	n.up(t)
	for _, shares := range [][2]float32{{80_000, 20_000}, {5_000, 95_000}, {0, 0}} {
		for i, speaker := range n.speakers {
			offered := bgptest.Speaker(speaker.Host, hosts(n.reflectors)...)
			offered.Offers = bgptest.Offers(speaker.Host, bgp.Offer{Bandwidth: shares[i]})
			set(t, speaker, offered)
		}
		want := map[string]float32{n.speakers[0].Host.IPv4.String(): shares[0], n.speakers[1].Host.IPv4.String(): shares[1]}
		waitFor(t, func() bool {
			hops, err := n.router.NextHops(bgptest.Services[0])
			if err != nil || len(hops) != 2 {
				return false
			}
			for _, hop := range hops {
				if hop.Bandwidth != want[hop.Via.String()] {
					return false
				}
			}
			return true
		}, func() string { hops, err := n.router.NextHops(bgptest.Services[0]); return fmt.Sprint(hops, err) })
	}
}
