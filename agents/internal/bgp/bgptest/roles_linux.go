package bgptest

import (
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

// AS is the AS of all engines.
const AS = 65021

// Services are the prefixes that are advertised and accepted.
var Services = []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8:113::/64")}

// Quick are the shortest timers that BGP allows.
var Quick = bgp.Timers{Hold: 3 * time.Second, KeepAlive: time.Second, Retry: time.Second}

// Speaker advertises the services with its own addresses as next hops.
func Speaker(host *Host, reflectors ...*Host) bgp.Desired {
	desired := bgp.Desired{AS: AS, RouterID: host.IPv4}
	for _, reflector := range reflectors {
		desired.Peers = append(desired.Peers, bgp.Peer{Address: reflector.IPv4, AS: AS, Timers: Quick, Gives: bgp.Best})
	}
	desired.Offers = Offers(host, bgp.Offer{})
	return desired
}

// Offers advertises the services with the host as next hop, and the other fields of like.
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

// Reflector advertises every route of its callers to routers.
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

// Router accepts every route of its reflectors.
func Router(host *Host, reflectors ...*Host) bgp.Desired {
	desired := bgp.Desired{
		AS: AS, RouterID: host.IPv4, Multipath: true, Accepts: Services, Listens: []netip.Addr{netip.IPv4Unspecified()},
	}
	for _, reflector := range reflectors {
		desired.Peers = append(desired.Peers, bgp.Peer{Address: reflector.IPv4, AS: AS, Timers: Quick, TakesPaths: true})
	}
	return desired
}
