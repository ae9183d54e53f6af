package router

import (
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/fib"
)

// ages records since when the kernel has which next hops.
type ages map[netip.Prefix]Route

// update takes the kernel's current next hops, sorted, and returns the route with their ages.
func (a ages) update(prefix netip.Prefix, hops []fib.Hop, now time.Time) Route {
	before, had := a[prefix]
	if len(hops) == 0 {
		delete(a, prefix)
		return Route{}
	}
	route := Route{Prefix: prefix, Since: now, Changed: now, Hops: make([]Hop, len(hops))}
	if had {
		route.Since = before.Since
	}
	if slices.EqualFunc(hops, before.Hops, func(hop fib.Hop, former Hop) bool { return hop.Via == former.Via && hop.Weight == former.Weight }) {
		route.Changed = before.Changed
	}
	for i, hop := range hops {
		route.Hops[i] = Hop{hop.Via, hop.Weight, now}
		for _, former := range before.Hops {
			if former.Via == hop.Via {
				route.Hops[i].Since = former.Since
			}
		}
	}
	a[prefix] = route
	return route
}
