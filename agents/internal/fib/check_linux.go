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
	goesBy := map[netip.Prefix]uint32{}
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
		routes, err := t.mark.routes(family)
		if err != nil {
			return err
		}
		for _, one := range routes {
			goesBy[one.to] = one.group
		}
	}
	vias := map[uint32]netip.Addr{}
	for via, hop := range t.hops {
		if one, is := has[hop.id]; !is || one.to != hop.to {
			delete(t.hops, via)
			continue
		}
		vias[hop.id] = via
	}
	for to, g := range t.groups {
		t.groups[to] = g.left(has, vias, goesBy[to])
	}
	return nil
}

// left is what there still is of a group and of the route by it.
func (g group) left(has map[uint32]object, vias map[uint32]netip.Addr, goesBy uint32) group {
	now := group{routed: g.routed && goesBy != 0 && (goesBy == g.id || goesBy == g.before)}
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
