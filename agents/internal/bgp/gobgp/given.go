package gobgp

import (
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/bgp"
)

// given counts the routes that a peer is given, by what the engine was asked to give it.
func (t *table) given(to netip.Addr, set bgp.Desired) (count uint64) {
	peer, known := peerAt(to, set.Peers)
	if !known || peer.Gives == bgp.Nothing {
		return 0
	}
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	passes := map[netip.Addr]bool{} // by who offers
	for prefix, of := range t.heard {
		if prefix.Addr().Is4() && peer.NoIPv4 || prefix.Addr().Is6() && peer.NoIPv6 {
			continue
		}
		for _, route := range of {
			pass, asked := passes[route.from]
			if !asked {
				pass = passesOn(route.from, to, peer, set)
				passes[route.from] = pass
			}
			if !pass || t.route(prefix, route).Refused || peer.Gives == bgp.Best && !route.best {
				continue
			}
			count++
			if peer.Gives == bgp.Best {
				break
			}
		}
	}
	return count
}

// passesOn says whether what one offers may go to another: not back, and from one internal peer
// to another only by reflection.
func passesOn(from, to netip.Addr, peer bgp.Peer, set bgp.Desired) bool {
	if !from.IsValid() {
		return true // our own
	}
	source, known := peerAt(from, set.Peers)
	internal := source.AS == set.AS && peer.AS == set.AS
	return from != to && known && (!internal || source.Reflected || peer.Reflected)
}

// peerAt is what was asked of whoever is at an address: of the one, before those that call.
func peerAt(address netip.Addr, peers []bgp.Peer) (bgp.Peer, bool) {
	at := slices.IndexFunc(peers, func(peer bgp.Peer) bool { return peer.Address == address })
	if at < 0 {
		at = slices.IndexFunc(peers, func(peer bgp.Peer) bool { return peer.Callers.IsValid() && peer.Callers.Contains(address) })
	}
	if at < 0 {
		return bgp.Peer{}, false
	}
	return peers[at], true
}
