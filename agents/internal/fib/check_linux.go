package fib

import (
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"
)

// Check finds out what the kernel still has of what was set: it drops the next hops of a
// link that goes down, with the routes that had no other, and anybody may take a route
// away. The next Set puts back what is missing; what is left is not touched, so flows by
// another link never notice.
func (t *Table) Check() {
	_ = t.options.Inside(t.compare) // what can't be read now is looked at next time
}

// compare forgets what the kernel doesn't have.
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

// follow has a next hop lead to where it is now, which changes nothing but that. Where it is
// nowhere at the moment it stays as it is: an address that moves is gone for a while, too.
func (t *Table) follow(via netip.Addr, known hop) {
	to, err := t.mark.wayTo(via)
	if err != nil || to == known.to || !known.named {
		return
	}
	if err := putHop(t.options.Owner, known.id, to, true); err == nil {
		known.to = to
		t.hops[via] = known
	}
}

// left is what there still is of a group and of the route by it.
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
