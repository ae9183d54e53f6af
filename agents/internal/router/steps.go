package router

import (
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

// learned is when the BGP table added or removed next hops.
type learned map[learnedOf]time.Time

type learnedOf struct {
	prefix    netip.Prefix
	hop       netip.Addr
	withdrawn bool
}

// learnedFrom reads the table's updates: the first announcement of a next hop counts, and the last
// withdrawal.
func learnedFrom(updates []bgp.Update) learned {
	l := make(learned, len(updates))
	for _, one := range updates {
		of := learnedOf{one.Prefix, one.NextHop, one.Withdrawn}
		if _, known := l[of]; !known || one.Withdrawn {
			l[of] = one.At
		}
	}
	return l
}

// steps returns the update steps of a prefix whose next hops in the kernel changed, both sorted.
func (l learned) steps(prefix netip.Prefix, before, after []netip.Addr, now time.Time) (steps []bgp.Update) {
	each := func(hops, others []netip.Addr, withdrawn bool) {
		for _, hop := range hops {
			if _, stays := slices.BinarySearchFunc(others, hop, netip.Addr.Compare); stays {
				continue
			}
			step := bgp.Update{Prefix: prefix, NextHop: hop, Withdrawn: withdrawn}
			if at, known := l[learnedOf{prefix, hop, withdrawn}]; known {
				step.Step, step.At = bgp.Learned, at
				steps = append(steps, step)
			}
			step.Step, step.At = bgp.Routed, now
			steps = append(steps, step)
		}
	}
	each(after, before, false)
	each(before, after, true)
	return steps
}
