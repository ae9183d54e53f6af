package fib

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"
)

// adopt takes over the objects marked as ours, so that traffic continues until Set changes them: a
// killed process returns without packet loss.
func (t *Table) adopt() error {
	objects, err := readObjects()
	if errors.Is(err, unix.EOPNOTSUPP) {
		return errors.New("this kernel has no next-hop objects, which came with Linux 5.3")
	}
	if err != nil {
		return err
	}
	objects = slices.DeleteFunc(objects, func(one object) bool { return one.owner != t.options.Owner })
	vias, groups := map[uint32]netip.Addr{}, map[uint32]object{}
	for _, one := range objects {
		t.newest = max(t.newest, one.id)
		if len(one.members) > 0 {
			groups[one.id] = one
			continue
		}
		// A hop behind a gateway is identified by the gateway, and created again when it is set.
		if _, had := t.hops[one.to.gateway]; had || !one.to.gateway.IsValid() {
			t.surplus = append(t.surplus, one.id)
			continue
		}
		t.hops[one.to.gateway], vias[one.id] = hop{id: one.id, to: one.to}, one.to.gateway
	}
	for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
		routes, err := t.mark.routes(family)
		if err != nil {
			return err
		}
		used := map[uint32]bool{}
		for _, one := range inUseFirst(routes) {
			if _, had := t.groups[one.to]; had {
				if err := t.mark.at(one.metric).deleteRoute(one.to); err != nil && !errors.Is(err, unix.ESRCH) {
					return fmt.Errorf("remove the second route to %s: %w", one.to, err)
				}
				continue
			}
			g := t.adopted(groups[one.group], vias)
			g.metric = one.metric
			t.groups[one.to], used[one.group] = g, true
		}
		maps.DeleteFunc(groups, func(id uint32, _ object) bool { return used[id] })
	}
	return t.sweep(groups)
}

// inUseFirst sorts routes by the kernel's preference: a process that stopped while it changed a
// metric leaves two routes to a prefix.
func inUseFirst(routes []route) []route {
	return slices.SortedStableFunc(slices.Values(routes), func(a, b route) int { return cmp.Compare(a.metric, b.metric) })
}

// adopted is a group that is used further, or one that stays until its route has another.
func (t *Table) adopted(from object, vias map[uint32]netip.Addr) group {
	other := group{before: from.id, routed: true}
	if from.id == 0 || from.resilient != t.resilient {
		return other
	}
	same := group{id: from.id, routed: true}
	for _, m := range from.members {
		via, known := vias[m.id]
		if !known {
			return other
		}
		same.hops = append(same.hops, Hop{Via: via, Weight: int(m.weight) + 1})
	}
	slices.SortFunc(same.hops, func(a, b Hop) int { return a.Via.Compare(b.Via) })
	return same
}

// sweep deletes groups that no route uses. Deleting the group of a route would delete the route
// too.
func (t *Table) sweep(groups map[uint32]object) error {
	for id := range groups {
		if err := deleteHop(id); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("delete group %d: %w", id, err)
		}
	}
	return nil
}
