package gobgp

import (
	"net/netip"

	"github.com/osrg/gobgp/v4/pkg/apiutil"
)

// refusals records received routes that the filter rejects, which gobgp doesn't.
type refusals struct {
	accepts []netip.Prefix
	of      map[netip.Addr]map[receivedRoute]bool // by peer
}

// receivedRoute identifies a route of a peer; number is the add-path ID.
type receivedRoute struct {
	prefix netip.Prefix
	pathID uint32
}

// update processes announcements and withdrawals, and returns newly rejected routes.
func (r *refusals) update(paths []*apiutil.Path) (fresh []refusal) {
	for _, path := range paths {
		if path == nil {
			continue
		}
		prefix, ok := prefixOf(path.Nlri)
		if !ok || r.allows(prefix) {
			continue
		}
		peer, route := path.PeerAddress, receivedRoute{prefix, path.RemoteID}
		if path.Withdrawal {
			delete(r.of[peer], route)
			continue
		}
		if r.of[peer] == nil {
			r.of[peer] = map[receivedRoute]bool{}
		}
		if !r.of[peer][route] {
			r.of[peer][route] = true
			fresh = append(fresh, refusal{peer, prefix})
		}
	}
	return fresh
}

type refusal struct {
	peer   netip.Addr
	prefix netip.Prefix
}

// allows reports whether gobgp's filter accepts the prefix.
func (r *refusals) allows(prefix netip.Prefix) bool {
	for _, accepted := range r.accepts {
		if accepted.Bits() <= prefix.Bits() && accepted.Contains(prefix.Addr()) {
			return true
		}
	}
	return false
}

// begin starts again with a new filter.
func (r *refusals) begin(accepts []netip.Prefix) {
	r.accepts = accepts
	clear(r.of)
}
