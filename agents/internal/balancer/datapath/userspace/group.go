package userspace

import (
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// group is the backends that a new connection may go to.
type group struct {
	members []maglev.Member
	fresh   []*backend    // same order as members
	table   *maglev.Table // nil with fewer than two
}

func (g *group) add(member maglev.Member, b *backend) {
	g.members, g.fresh = append(g.members, member), append(g.fresh, b)
}

func (g *group) build() {
	if len(g.members) > 1 {
		g.table = maglev.Build(g.members)
	}
}

// pick chooses the backend of a new connection: that of the client's row or, if it was
// tried already, of the next row with an untried one; nil if there is none.
func (g *group) pick(key datapath.Key, client netip.AddrPort, tried ...*backend) *backend {
	if g.table == nil {
		for _, b := range g.fresh {
			if !slices.Contains(tried, b) {
				return b
			}
		}
		return nil
	}
	first := rowOf(key, client)
	for step := range maglev.Rows {
		if b := g.fresh[g.table[(first+step)%maglev.Rows]]; !slices.Contains(tried, b) {
			return b
		}
	}
	return nil
}
