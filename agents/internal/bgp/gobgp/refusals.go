package gobgp

import (
	"net/netip"

	"github.com/osrg/gobgp/v4/pkg/apiutil"
)

// refusals counts routes that were offered and not let in, which gobgp does not.
type refusals struct {
	accepts []netip.Prefix
	of      map[netip.Addr]map[offered]bool // by peer
}

// offered is one of the routes that a peer offers; its number is of add-path.
type offered struct {
	prefix netip.Prefix
	number uint32
}

// see takes routes as they are offered and withdrawn, and returns prefixes that are newly refused.
func (r *refusals) see(paths []*apiutil.Path) (fresh []refusal) {
	for _, path := range paths {
		if path == nil {
			continue
		}
		prefix, ok := prefixOf(path.Nlri)
		if !ok || r.lets(prefix) {
			continue
		}
		peer, route := path.PeerAddress, offered{prefix, path.RemoteID}
		if path.Withdrawal {
			delete(r.of[peer], route)
			continue
		}
		if r.of[peer] == nil {
			r.of[peer] = map[offered]bool{}
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

// lets says what gobgp's filter does.
func (r *refusals) lets(prefix netip.Prefix) bool {
	for _, accepted := range r.accepts {
		if accepted.Bits() <= prefix.Bits() && accepted.Contains(prefix.Addr()) {
			return true
		}
	}
	return false
}

// begin starts anew with another filter.
func (r *refusals) begin(accepts []netip.Prefix) {
	r.accepts = accepts
	clear(r.of)
}
