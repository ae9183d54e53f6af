package fib

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"
)

// set writes one prefix, inside the namespace.
func (t *Table) set(to netip.Prefix, g group, hops []Hop) error {
	if len(hops) == 0 {
		return t.unroute(to, g)
	}
	members, reached, lost := t.members(hops)
	if len(reached) == 0 {
		return errors.Join(append(lost, t.unroute(to, g))...)
	}
	if g.routed && g.before == 0 && slices.EqualFunc(g.hops, reached, sameHop) && t.inPlace(to, g) {
		return errors.Join(lost...) // unreachable ones are still unreachable
	}
	fresh := g.id == 0
	if fresh {
		id, err := t.create(func(id uint32) error { return t.putGroup(id, members, false) })
		if err != nil {
			return err
		}
		g.id = id
	} else if err := t.putGroup(g.id, members, true); err != nil {
		return err
	}
	// An existing route uses another group, from before this table was opened, or has another
	// metric.
	if fresh || !g.routed || !t.inPlace(to, g) {
		if err := t.putRoute(to, g); err != nil {
			if fresh {
				err = errors.Join(err, deleteHop(g.id))
			}
			return err
		}
		lost = append(lost, dropObject(g.before))
	}
	g.routed, g.before, g.hops, g.metric = true, 0, reached, t.mark.metricTo(to)
	t.groups[to] = g
	return errors.Join(append(lost, t.deleteUnused())...)
}

// inPlace reports whether a route has the desired metric.
func (t *Table) inPlace(to netip.Prefix, g group) bool {
	return !g.routed || g.metric == t.mark.metricTo(to)
}

// putRoute creates the group's route, and then removes one with another metric.
func (t *Table) putRoute(to netip.Prefix, g group) error {
	stays := t.inPlace(to, g)
	if err := t.mark.putRoute(to, g.id, g.routed && stays); err != nil || stays {
		return err
	}
	if err := t.mark.at(g.metric).deleteRoute(to); err != nil && !errors.Is(err, unix.ESRCH) {
		return errors.Join(err, t.mark.deleteRoute(to)) // all or nothing
	}
	return nil
}

// unroute keeps the group with its buckets, for when hops are added again.
func (t *Table) unroute(to netip.Prefix, g group) error {
	if err := t.mark.at(g.metric).deleteRoute(to); err != nil && !errors.Is(err, unix.ESRCH) {
		return err
	}
	err := dropObject(g.before)
	g.routed, g.before, g.hops = false, 0, nil
	t.groups[to] = g
	return err
}

// idsTried limits how many used IDs are skipped.
const idsTried = 64

// create creates an object with an unused ID.
func (t *Table) create(put func(id uint32) error) (id uint32, err error) {
	for range idsTried {
		t.newest++
		if err = put(t.newest); !errors.Is(err, unix.EEXIST) {
			break
		}
	}
	return t.newest, err
}

// members creates missing objects for hops. Hops that can't be created are returned as lost.
func (t *Table) members(hops []Hop) (members []member, reached []Hop, lost []error) {
	for _, one := range hops {
		if t.isRequested(one, hops) {
			continue
		}
		if one.Weight < 1 || one.Weight > 256 {
			lost = append(lost, fmt.Errorf("%s has weight %d: use 1 to 256", one.Via, one.Weight))
			continue
		}
		id, err := t.member(one.Via)
		if err != nil {
			lost = append(lost, err)
			continue
		}
		members, reached = append(members, member{id, uint8(one.Weight - 1)}), append(reached, one)
	}
	return members, reached, lost
}

// markRequested marks adopted hops that are requested.
func (t *Table) markRequested(hops []Hop) {
	for _, one := range hops {
		if known, is := t.hops[one.Via]; is && !one.Kept {
			known.requested = true
			t.hops[one.Via] = known
		}
	}
}

// isRequested reports whether an adopted hop, known only by its gateway, also exists under its own
// address: it must not get a second share.
func (t *Table) isRequested(one Hop, among []Hop) bool {
	found, is := t.hops[one.Via]
	return is && one.Kept && !found.requested && slices.ContainsFunc(among, func(other Hop) bool {
		if other.Kept || other.Via == one.Via {
			return false
		}
		to, err := t.mark.wayTo(other.Via)
		return err == nil && to == found.to
	})
}

func (t *Table) member(via netip.Addr) (uint32, error) {
	if known, ok := t.hops[via]; ok {
		return known.id, nil
	}
	to, err := t.mark.wayTo(via)
	if err != nil {
		return 0, err
	}
	id, err := t.create(func(id uint32) error { return putHop(t.options.Owner, id, to, false) })
	if err != nil {
		return 0, fmt.Errorf("next hop %s: %w", via, err)
	}
	t.hops[via] = hop{id, to, true}
	return id, nil
}

func (t *Table) putGroup(id uint32, members []member, replace bool) error {
	err := putGroup(t.options.Owner, id, members, t.resilient, replace)
	if t.resilient && (errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EOPNOTSUPP)) {
		// A missing member causes the same error: then both fail.
		if putGroup(t.options.Owner, id, members, false, replace) == nil {
			t.resilient, err = false, nil
		}
	}
	if err != nil {
		return fmt.Errorf("group of %d: %w", len(members), err)
	}
	return nil
}

// deleteUnusedFamily deletes hops that no route uses, so that they are created again.
func (t *Table) deleteUnusedFamily(v4 bool) {
	for to, g := range t.groups {
		if g.routed && to.Addr().Is4() == v4 {
			return
		}
	}
	for via, hop := range t.hops {
		if via.Is4() == v4 {
			_ = deleteHop(hop.id) // it may be gone already
			delete(t.hops, via)
		}
	}
}

// deleteUnused deletes hops that no group uses.
func (t *Table) deleteUnused() error {
	used := map[netip.Addr]bool{}
	for _, g := range t.groups {
		for _, hop := range g.hops {
			used[hop.Via] = true
		}
	}
	for via, hop := range t.hops {
		// The last one of a family stays in its group, which can't be empty.
		if used[via] || t.unrouted(via) {
			continue
		}
		if err := deleteHop(hop.id); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("delete next hop %s: %w", via, err)
		}
		delete(t.hops, via)
	}
	return t.deleteSurplus()
}

// deleteSurplus waits until the last adopted group is replaced: without hops the kernel would
// delete the group, and its route with it.
func (t *Table) deleteSurplus() error {
	for _, g := range t.groups {
		if g.before != 0 {
			return nil
		}
	}
	for _, id := range t.surplus {
		if err := dropObject(id); err != nil {
			return fmt.Errorf("delete next hop %d: %w", id, err)
		}
	}
	t.surplus = nil
	return nil
}

func (t *Table) unrouted(via netip.Addr) bool {
	for to, g := range t.groups {
		if !g.routed && to.Addr().Is4() == via.Is4() {
			return true
		}
	}
	return false
}
