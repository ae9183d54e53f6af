package bgptest

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

// AS is that of everybody here.
const AS = 65021

// Services are the prefixes that are offered and taken.
var Services = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8:113::/64")}

// Quick are the shortest timers that BGP has.
var Quick = bgp.Timers{Hold: 3 * time.Second, KeepAlive: time.Second, Retry: time.Second}

// Speaker offers the services at its own addresses.
func Speaker(host *Host, reflectors ...*Host) bgp.Desired {
	desired := bgp.Desired{AS: AS, RouterID: host.IPv4}
	for _, reflector := range reflectors {
		desired.Peers = append(desired.Peers, bgp.Peer{Address: reflector.IPv4, AS: AS, Timers: Quick, Gives: bgp.Best})
	}
	desired.Offers = Offers(host, bgp.Offer{})
	return desired
}

// Offers are the services by way of a host, the rest as in one.
func Offers(host *Host, like bgp.Offer) (offers []bgp.Offer) {
	for _, prefix := range Services {
		like.Prefix, like.NextHop = prefix, host.IPv4
		if prefix.Addr().Is6() {
			like.NextHop = host.IPv6
		}
		offers = append(offers, like)
	}
	return offers
}

// Reflector gives routers every route of those who call.
func Reflector(host *Host, routers ...*Host) bgp.Desired {
	desired := bgp.Desired{
		AS: AS, RouterID: host.IPv4, Listens: []netip.Addr{netip.IPv4Unspecified(), netip.IPv6Unspecified()}, Accepts: Services, Multipath: true,
		Peers: []bgp.Peer{{Callers: Prefix4, AS: AS, Timers: Quick, Reflected: true}},
	}
	for _, router := range routers {
		desired.Peers = append(desired.Peers, bgp.Peer{Address: router.IPv4, AS: AS, Timers: Quick, Reflected: true, Gives: bgp.EveryRoute})
	}
	return desired
}

// Router takes every route that reflectors give it.
func Router(host *Host, reflectors ...*Host) bgp.Desired {
	desired := bgp.Desired{
		AS: AS, RouterID: host.IPv4, Multipath: true, Accepts: Services, Listens: []netip.Addr{netip.IPv4Unspecified()},
	}
	for _, reflector := range reflectors {
		desired.Peers = append(desired.Peers, bgp.Peer{Address: reflector.IPv4, AS: AS, Timers: Quick, TakesPaths: true})
	}
	return desired
}
