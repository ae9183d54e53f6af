package fib

import (
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"
)

// Check compares the kernel with what was set: the kernel drops the next hops of a link that goes
// down, with routes that have no other, and any program may remove a route. The next Set restores
// what is missing. Everything else stays, so that flows over another link are unaffected.
func (t *Table) Check() {
	_ = t.options.Inside(t.compare) // errors are retried at the next Check
}

// compare drops what the kernel no longer has.
func (t *Table) compare() error {
	objects, err := readObjects()
	if err != nil {
		return err
	}
	has := map[uint32]object{}
	for _, one := range objects {
		if one.owner == t.options.Owner {
			has[one.id] = one
		}
	}
	goesBy := map[netip.Prefix][]route{}
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
		routes, err := t.mark.routes(family)
		if err != nil {
			return err
		}
		for _, one := range routes {
			goesBy[one.to] = append(goesBy[one.to], one)
		}
	}
	vias := map[uint32]netip.Addr{}
	for via, hop := range t.hops {
		if one, is := has[hop.id]; !is || one.to != hop.to {
			delete(t.hops, via)
			continue
		}
		vias[hop.id] = via
		t.follow(via, hop)
	}
	for to, g := range t.groups {
		t.groups[to] = g.left(has, vias, goesBy[to])
	}
	return nil
}

// follow moves a next hop to its current link and gateway, and changes nothing else. Without a
// route to it at the moment, it stays: a moving address is missing for a while too.
func (t *Table) follow(via netip.Addr, known hop) {
	to, err := t.mark.wayTo(via)
	if err != nil || to == known.to || !known.requested {
		return
	}
	if err := putHop(t.options.Owner, known.id, to, true); err == nil {
		known.to = to
		t.hops[via] = known
	}
}

// left is what remains of a group and its route.
func (g group) left(has map[uint32]object, vias map[uint32]netip.Addr, routes []route) group {
	now := group{metric: g.metric, routed: g.routed && slices.ContainsFunc(routes, func(one route) bool {
		return one.metric == g.metric && one.group != 0 && (one.group == g.id || one.group == g.before)
	})}
	if _, is := has[g.before]; is {
		now.before = g.before
	}
	own, is := has[g.id]
	if !is {
		return now
	}
	now.id = g.id
	if !now.routed {
		return now
	}
	for _, m := range own.members {
		if via, known := vias[m.id]; known {
			now.hops = append(now.hops, Hop{Via: via, Weight: int(m.weight) + 1})
		}
	}
	slices.SortFunc(now.hops, func(a, b Hop) int { return a.Via.Compare(b.Via) })
	return now
}
