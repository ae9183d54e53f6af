package gobgp

import (
	"net/netip"

	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// hopOwners records which peer advertises which next hop as its own. Two peers with one address are
// a misconfiguration that routers can't see, since the next hop is the same.
type hopOwners map[netip.Addr]hopOwner

type hopOwner struct{ peer, id netip.Addr }

// update processes received routes and returns next hops that another peer advertises too.
func (c hopOwners) update(paths []*apiutil.Path) (shared []bgp.SharedHop) {
	for _, path := range paths {
		if path == nil || path.Withdrawal || path.IsFromExternal || isReflected(path) {
			continue
		}
		from, _ := sourceOf(path)
		if !from.IsValid() {
			continue // our own route
		}
		hop, is := attributesOf(path.Attrs).hop, hopOwner{from, path.PeerID}
		if !hop.IsValid() {
			continue
		}
		was, known := c[hop]
		if known && was.peer != is.peer && was.id != is.id { // one peer with two addresses has one ID
			shared = append(shared, bgp.SharedHop{NextHop: hop, Peers: [2]netip.Addr{was.peer, is.peer}})
			continue // the first peer keeps the next hop, so that each later peer is reported once
		}
		c[hop] = is
	}
	return shared
}

// remove deletes the next hops of a peer whose session ended.
func (c hopOwners) remove(peer netip.Addr) {
	for hop, claim := range c {
		if claim.peer == peer {
			delete(c, hop)
		}
	}
}

// isReflected reports whether a reflector sent the route on behalf of another peer.
func isReflected(path *apiutil.Path) bool {
	for _, attribute := range path.Attrs {
		if _, is := attribute.(*packet.PathAttributeOriginatorId); is {
			return true
		}
	}
	return false
}
