package router

import (
	"math"
	"slices"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/fib"
)

// weightMost is the kernel's limit.
const weightMost = 256

// weigh gives each next hop its weight in the kernel, by the bandwidths of their routes. Equal ones have weights above 1,
// too, so that the kernel keeps to them. If one has none, all have 1: its share would be unknown.
func weigh(hops []bgp.NextHop) []fib.Hop {
	weighed := make([]fib.Hop, len(hops))
	var most, least float32 = 0, math.MaxFloat32
	for _, hop := range hops {
		most, least = max(most, hop.Bandwidth), min(least, hop.Bandwidth)
	}
	for i, hop := range hops {
		weighed[i] = fib.Hop{Via: hop.Via, Weight: 1}
		if least > 0 && len(hops) > 1 {
			weighed[i].Weight = max(1, int(math.Round(float64(hop.Bandwidth)/float64(most)*weightMost)))
		}
	}
	return weighed
}

// union returns the next hops of both, sorted. The bandwidths of the kept ones are in the unit of the offered ones: those that
// were adopted are weights of the kernel.
func union(offered, kept []bgp.NextHop) []bgp.NextHop {
	unit := unitOf(offered, kept)
	hops := slices.Clone(offered) // offered is used later
	for _, hop := range kept {
		hop.Bandwidth *= unit
		hops = append(hops, hop)
	}
	slices.SortStableFunc(hops, func(a, b bgp.NextHop) int { return a.Via.Compare(b.Via) })
	return slices.CompactFunc(hops, func(a, b bgp.NextHop) bool { return a.Via == b.Via })
}

func unitOf(offered, kept []bgp.NextHop) float32 {
	for _, hop := range offered {
		for _, other := range kept {
			if hop.Via == other.Via && hop.Bandwidth > 0 && other.Bandwidth > 0 {
				return hop.Bandwidth / other.Bandwidth
			}
		}
	}
	return 1
}

// adopted returns next hops of the kernel. Their weights stand for bandwidths, until peers offer these again.
func adopted(hops []fib.Hop) []bgp.NextHop {
	var adopted []bgp.NextHop
	for _, hop := range hops {
		adopted = append(adopted, bgp.NextHop{Via: hop.Via, Bandwidth: float32(hop.Weight)})
	}
	return adopted
}
