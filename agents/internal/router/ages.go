package router

import (
	"net/netip"
	"slices"
	"time"
)

// ages remembers since when the kernel has which next hops.
type ages map[netip.Prefix]Route

// see takes what the kernel has now, sorted, and says since when.
func (a ages) see(prefix netip.Prefix, hops []netip.Addr, now time.Time) Route {
	before, had := a[prefix]
	if len(hops) == 0 {
		delete(a, prefix)
		return Route{}
	}
	route := Route{Prefix: prefix, Since: now, Changed: now, Hops: make([]Hop, len(hops))}
	if had {
		route.Since = before.Since
	}
	if slices.EqualFunc(hops, before.Hops, func(via netip.Addr, former Hop) bool { return via == former.Via }) {
		route.Changed = before.Changed
	}
	for i, via := range hops {
		route.Hops[i] = Hop{via, now}
		for _, former := range before.Hops {
			if former.Via == via {
				route.Hops[i] = former
			}
		}
	}
	a[prefix] = route
	return route
}
