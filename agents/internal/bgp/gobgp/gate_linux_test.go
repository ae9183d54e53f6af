package gobgp_test

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

const (
	lateRouters     = 12  // connect while routes change
	busySpeakers    = 4   // change routes
	changesOfEach   = 600 // at most: each withdraws one route and announces another
	firstLateRouter = 100 // the last byte of its address
	firstSpeaker    = 200
)

// changing contains all routes of this test.
var changing = netip.MustParsePrefix("198.18.0.0/15")

// A router that connects while routes change misses no route, and keeps no withdrawn one.
func TestARouterThatConnectsWhileRoutesChangeHasThemAll(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	peers, reflector := lan.Add(t, "peers"), bgptest.Start(t, lan.Add(t, "reflector"))
	desired := bgptest.Reflector(reflector.Host)
	desired.Accepts, desired.Peers[0].Timers = []netip.Prefix{changing}, slow
	for i := range lateRouters {
		desired.Peers = append(desired.Peers, bgp.Peer{
			Address: addressOf(firstLateRouter + i), AS: bgptest.AS, Waits: true, Timers: slow, Reflected: true, Gives: bgp.Best,
		})
	}
	set(t, reflector, desired)

	var speakers []*testPeer
	for i := range busySpeakers {
		speaker := call(t, peers, addressOf(firstSpeaker+i), reflector.Host.IPv4)
		for j := range changesOfEach {
			speaker.announce(route(i, j))
		}
		speakers = append(speakers, speaker)
	}
	waitFor(t, func() bool {
		page, err := reflector.Routes(bgp.Query{Limit: 1})
		return err == nil && page.Total == busySpeakers*changesOfEach
	}, func() string { return "the reflector doesn't have all routes" })

	var allUp atomic.Bool
	changed := make([]int, busySpeakers)
	var changes sync.WaitGroup
	for i, speaker := range speakers {
		changes.Go(func() {
			for ; changed[i] < changesOfEach && !allUp.Load(); changed[i]++ {
				speaker.withdraw(route(i, changed[i]))
				speaker.announce(route(i, changesOfEach+changed[i]))
			}
		})
	}
	var routers []*router
	for i := range lateRouters {
		one := &router{testPeer: call(t, peers, addressOf(firstLateRouter+i), reflector.Host.IPv4), has: map[netip.Prefix]bool{}}
		one.readUntil(t, "its first route", func() bool { return len(one.has) > 0 })
		routers = append(routers, one)
	}
	allUp.Store(true)
	changes.Wait()
	t.Logf("while %d routers connected, speakers changed %v routes", lateRouters, changed)

	want := map[netip.Prefix]bool{}
	for i, speaker := range speakers {
		for j := changed[i]; j < changed[i]+changesOfEach; j++ {
			want[route(i, j)] = true
		}
		want[last(i)] = true
		speaker.announce(last(i))
	}
	var reading sync.WaitGroup
	for _, one := range routers {
		reading.Go(func() {
			one.readUntil(t, "the last routes", func() bool { return one.hasLast() })
			var missing, stale int
			for prefix := range want {
				if !one.has[prefix] {
					missing++
				}
			}
			for prefix := range one.has {
				if !want[prefix] {
					stale++
				}
			}
			if missing+stale > 0 {
				t.Errorf("%s: %d routes are missing, %d withdrawn routes are left", one.conn.LocalAddr(), missing, stale)
			}
		})
	}
	reading.Wait()
}

// slow are timers longer than the test, so that no keepalives are needed.
var slow = bgp.Timers{Hold: 3 * time.Minute, KeepAlive: time.Minute, Retry: time.Second}

func addressOf(last int) netip.Addr { return netip.AddrFrom4([4]byte{10, 79, 0, byte(last)}) }

// route returns a route of a speaker. All are distinct.
func route(speaker, number int) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 18, byte(speaker<<4 | number>>8), byte(number)}), 32)
}

// last is the route that a speaker announces last.
func last(speaker int) netip.Prefix {
	return netip.PrefixFrom(netip.AddrFrom4([4]byte{198, 19, 255, byte(speaker)}), 32)
}

// router collects the prefixes that it receives.
type router struct {
	*testPeer
	has map[netip.Prefix]bool
}

func (r *router) readUntil(t *testing.T, what string, holds func() bool) {
	for !holds() {
		message, err := r.read()
		if err != nil {
			t.Errorf("%s: waiting for %s: %v", r.next, what, err)
			return
		}
		update, is := message.Body.(*packet.BGPUpdate)
		if !is {
			continue
		}
		for _, gone := range update.WithdrawnRoutes {
			delete(r.has, netip.MustParsePrefix(gone.NLRI.String()))
		}
		for _, come := range update.NLRI {
			r.has[netip.MustParsePrefix(come.NLRI.String())] = true
		}
	}
}

func (r *router) hasLast() bool {
	for speaker := range busySpeakers {
		if !r.has[last(speaker)] {
			return false
		}
	}
	return true
}
