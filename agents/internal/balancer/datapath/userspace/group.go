package userspace

import (
	"math/rand/v2"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// group is the backends that a new connection may go to.
type group struct {
	members []maglev.Member
	fresh   []*backend    // same order as members
	table   *maglev.Table // nil with fewer than two, or with weights
	weights []uint32      // of a private chooser, in the same order
}

func (g *group) add(member maglev.Member, b *backend) {
	g.members, g.fresh = append(g.members, member), append(g.fresh, b)
}

func (g *group) build() {
	if len(g.members) > 1 {
		g.table = maglev.Build(g.members)
	}
}

// weigh makes the group that of a private chooser. A member that isn't named keeps its
// weight.
func (g *group) weigh(weights map[string]uint32) {
	g.weights = make([]uint32, len(g.members))
	for i, member := range g.members {
		weight, weighed := weights[member.ID]
		if !weighed {
			weight = uint32(member.Weight)
		}
		g.weights[i] = weight
	}
}

// draw chooses by weight.
func (g *group) draw(tried []*backend) *backend {
	var total uint64
	for i, b := range g.fresh {
		if !slices.Contains(tried, b) {
			total += uint64(g.weights[i])
		}
	}
	if total == 0 {
		return nil
	}
	at := rand.Uint64N(total)
	for i, b := range g.fresh {
		if slices.Contains(tried, b) {
			continue
		}
		if weight := uint64(g.weights[i]); at >= weight {
			at -= weight
			continue
		}
		return b
	}
	return nil
}

// pick chooses the backend of a new connection: that of the client's row or, if it was
// tried already, of the next row with an untried one; nil if there is none.
func (g *group) pick(key datapath.Key, client netip.AddrPort, tried ...*backend) *backend {
	if g.weights != nil {
		return g.draw(tried)
	}
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
