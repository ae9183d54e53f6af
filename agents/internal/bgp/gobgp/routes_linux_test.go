package gobgp_test

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

func TestAdvertisedRoutesReachTheRouterUntilWithdrawn(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 2)
	n.up(t)
	first := n.speakers[0]
	usual := bgptest.Speaker(first.Host, hosts(n.reflectors)...)

	t.Run("setting the same again changes nothing", func(t *testing.T) {
		if changes := set(t, first, usual); changes != 0 {
			t.Errorf("%d changes", changes)
		}
	})
	t.Run("a speaker receives no route", func(t *testing.T) {
		for _, peer := range n.reflectors {
			if session := sessionWith(t, first, peer.Host.IPv4); session.Received != 0 || session.Advertised != 2 || session.State != bgp.Established {
				t.Errorf("with %s: %+v", peer.Host.Name, session)
			}
		}
	})
	t.Run("withdrawn routes are removed", func(t *testing.T) {
		none := usual
		none.Offers = nil
		set(t, first, none)
		n.goesBy(t, n.speakers[1:]...)
		set(t, first, usual)
		n.goesBy(t, n.speakers...)
	})
	t.Run("attributes arrive as they were offered", func(t *testing.T) {
		offered := usual
		offered.Offers = bgptest.Offers(first.Host, bgp.Offer{Preference: 200, MED: 7, Communities: []bgp.Community{65021<<16 | 100}})
		set(t, first, offered)
		n.goesBy(t, first)
		for _, offer := range offered.Offers {
			page, err := n.router.Routes(bgp.Query{Prefix: offer.Prefix})
			if err != nil || len(page.Routes) == 0 {
				t.Fatalf("%+v, %v", page, err)
			}
			if best := page.Routes[0]; !best.Best || best.NextHop != offer.NextHop || best.Preference != 200 || best.MED != 7 ||
				!slices.Equal(best.Communities, []bgp.Community{65021<<16 | 100}) || len(best.ASPath) != 0 {
				t.Errorf("the best is %+v", best)
			}
		}
	})
	t.Run("the lowest MED is chosen", func(t *testing.T) {
		for i, speaker := range n.speakers {
			offered := bgptest.Speaker(speaker.Host, hosts(n.reflectors)...)
			offered.Offers = bgptest.Offers(speaker.Host, bgp.Offer{MED: uint32(20 - 5*min(i, 1))})
			set(t, speaker, offered)
		}
		n.goesBy(t, n.speakers[1:]...)
		for _, speaker := range n.speakers {
			set(t, speaker, bgptest.Speaker(speaker.Host, hosts(n.reflectors)...))
		}
		n.goesBy(t, n.speakers...)
	})
	t.Run("a draining speaker is the last resort", func(t *testing.T) {
		drained := usual
		drained.Offers = bgptest.Offers(first.Host, bgp.Offer{Preference: bgp.Drained, Communities: []bgp.Community{bgp.GracefulShutdown}})
		set(t, first, drained)
		n.goesBy(t, n.speakers[1:]...)
		for _, other := range n.speakers[1:] {
			set(t, other, bgp.Desired{AS: bgptest.AS, RouterID: other.Host.IPv4})
		}
		n.goesBy(t, first)
		for _, other := range n.speakers[1:] {
			set(t, other, bgptest.Speaker(other.Host, hosts(n.reflectors)...))
		}
		n.goesBy(t, n.speakers[1:]...)
	})
	t.Run("a killed speaker is removed", func(t *testing.T) {
		n.speakers[2].Kill()
		n.goesBy(t, n.speakers[1])
	})
	t.Run("a speaker that stops is removed", func(t *testing.T) {
		if err := n.speakers[1].Close(); err != nil {
			t.Fatal(err)
		}
		n.goesBy(t, first)
	})
}

// A reflector reports the updates of each route, also while the prefix has other routes.
func TestAReflectorReportsEachUpdate(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 1)
	n.up(t)
	reflector, second := n.reflectors[0], n.speakers[1]
	took := func() (updates []bgp.Update) {
		t.Helper()
		changes, err := reflector.Take()
		if err != nil {
			t.Fatal(err)
		}
		return changes.Updates
	}
	took() // discards the first updates
	offers := bgptest.Offers(second.Host, bgp.Offer{})
	drained := bgptest.Offers(second.Host, bgp.Offer{Preference: bgp.Drained, Communities: []bgp.Community{bgp.GracefulShutdown}})
	for _, step := range []struct {
		name      string
		offers    []bgp.Offer
		withdrawn bool
	}{{"withdrawn", nil, true}, {"advertised", offers, false}, {"made the last resort", drained, true}, {"preferred again", offers, false}} {
		desired, begun := bgptest.Speaker(second.Host, reflector.Host), time.Now()
		desired.Offers = step.offers
		set(t, second, desired)
		reported := map[netip.Prefix]bgp.Update{}
		waitFor(t, func() bool {
			for _, update := range took() {
				reported[update.Prefix] = update
			}
			return len(reported) == len(bgptest.Services)
		}, func() string { return fmt.Sprintf("%s: reported is %v", step.name, reported) })
		for _, offer := range offers {
			update := reported[offer.Prefix]
			if update.NextHop != offer.NextHop || update.Withdrawn != step.withdrawn || update.At.Before(begun) || time.Since(update.At) < 0 {
				t.Errorf("%s, begun at %s: reported is %+v", step.name, begun, update)
			}
		}
	}
}

// A top-of-rack router of another AS receives every speaker's own address: neither the reflector's, nor only
// the best route's.
func TestARouterOfAnotherASReceivesEveryHop(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 2)
	router := bgptest.Router(n.router.Host, hosts(n.reflectors)...)
	router.AS = 65100
	set(t, n.router, router)
	for _, reflector := range n.reflectors {
		desired := bgptest.Reflector(reflector.Host, n.router.Host)
		desired.Peers[1].AS, desired.Peers[1].Reflected = 65100, false
		set(t, reflector, desired)
	}
	for _, speaker := range n.speakers {
		set(t, speaker, bgptest.Speaker(speaker.Host, hosts(n.reflectors)...))
	}
	n.goesBy(t, n.speakers...)
	page, err := n.router.Routes(bgp.Query{Prefix: bgptest.Services[0]})
	if err != nil || len(page.Routes) == 0 || !slices.Equal(page.Routes[0].ASPath, []uint32{bgptest.AS}) {
		t.Errorf("the routes are %+v, %v", page.Routes, err)
	}
}
