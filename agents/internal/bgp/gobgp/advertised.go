package gobgp

import (
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/bgp"
)

// advertisedTo counts the routes that are advertised to a peer, calculated from the settings.
func (t *table) advertisedTo(to netip.Addr, set bgp.Desired) (count uint64) {
	peer, known := settingsFor(to, set.Peers)
	if !known || peer.Gives == bgp.Nothing {
		return 0
	}
	t.mutex.RLock()
	defer t.mutex.RUnlock()
	passes := map[netip.Addr]bool{} // by source
	for prefix, of := range t.routes {
		if prefix.Addr().Is4() && peer.NoIPv4 || prefix.Addr().Is6() && peer.NoIPv6 {
			continue
		}
		for _, route := range of {
			pass, cached := passes[route.from]
			if !cached {
				pass = isAdvertised(route.from, to, peer, set)
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

// isAdvertised reports whether a route of one peer is advertised to another: never back to its source,
// and between internal peers only by reflection.
func isAdvertised(from, to netip.Addr, peer bgp.Peer, set bgp.Desired) bool {
	if !from.IsValid() {
		return true // our own route
	}
	source, known := settingsFor(from, set.Peers)
	internal := source.AS == set.AS && peer.AS == set.AS
	return from != to && known && (!internal || source.Reflected || peer.Reflected)
}

// settingsFor returns the settings for a peer's address: those of a named peer, else those of its prefix
// of callers.
func settingsFor(address netip.Addr, peers []bgp.Peer) (bgp.Peer, bool) {
	at := slices.IndexFunc(peers, func(peer bgp.Peer) bool { return peer.Address == address })
	if at < 0 {
		at = slices.IndexFunc(peers, func(peer bgp.Peer) bool { return peer.Callers.IsValid() && peer.Callers.Contains(address) })
	}
	if at < 0 {
		return bgp.Peer{}, false
	}
	return peers[at], true
}
