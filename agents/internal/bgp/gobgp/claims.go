package gobgp

import (
	"net/netip"

	"github.com/osrg/gobgp/v4/pkg/apiutil"
	packet "github.com/osrg/gobgp/v4/pkg/packet/bgp"

	"fairlead.dev/agents/internal/bgp"
)

// claims remembers which peer offers which next hop, of those who speak for themselves: two
// with one address are a mistake that nobody else would notice, since routers see one hop.
type claims map[netip.Addr]claim

type claim struct{ peer, id netip.Addr }

// see takes routes as they are offered, and returns those hops that another one offers too.
func (c claims) see(paths []*apiutil.Path) (shared []bgp.SharedHop) {
	for _, path := range paths {
		if path == nil || path.Withdrawal || path.IsFromExternal || passedOn(path) {
			continue
		}
		from, _ := sourceOf(path)
		if !from.IsValid() {
			continue // our own
		}
		hop, is := saidIn(path.Attrs).hop, claim{from, path.PeerID}
		if !hop.IsValid() {
			continue
		}
		was, known := c[hop]
		if known && was.peer != is.peer && was.id != is.id { // one that calls from two addresses has one ID
			shared = append(shared, bgp.SharedHop{NextHop: hop, Peers: [2]netip.Addr{was.peer, is.peer}})
			continue // the first one keeps it: told is once for each who comes later
		}
		c[hop] = is
	}
	return shared
}

// gone is told when the session with a peer ended.
func (c claims) gone(peer netip.Addr) {
	for hop, claim := range c {
		if claim.peer == peer {
			delete(c, hop)
		}
	}
}

// passedOn says whether a reflector tells of somebody else's route.
func passedOn(path *apiutil.Path) bool {
	for _, attribute := range path.Attrs {
		if _, is := attribute.(*packet.PathAttributeOriginatorId); is {
			return true
		}
	}
	return false
}
