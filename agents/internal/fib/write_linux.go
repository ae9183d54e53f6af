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
		return errors.Join(lost...) // those that can't be reached still can't
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
	// A route that is there already goes by another group, of before this table was opened,
	// or has another metric.
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
	return errors.Join(append(lost, t.forget())...)
}

// inPlace says whether a route has the metric that it should have.
func (t *Table) inPlace(to netip.Prefix, g group) bool {
	return !g.routed || g.metric == t.mark.metricTo(to)
}

// putRoute makes the group's route, and takes the one of another metric away after that.
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

// unroute leaves the group with its buckets, for when hops come back.
func (t *Table) unroute(to netip.Prefix, g group) error {
	if err := t.mark.at(g.metric).deleteRoute(to); err != nil && !errors.Is(err, unix.ESRCH) {
		return err
	}
	err := dropObject(g.before)
	g.routed, g.before, g.hops = false, 0, nil
	t.groups[to] = g
	return err
}

// idsTried is how many numbers of others we step over.
const idsTried = 64

// create makes an object under a number that nobody has.
func (t *Table) create(put func(id uint32) error) (id uint32, err error) {
	for range idsTried {
		t.newest++
		if err = put(t.newest); !errors.Is(err, unix.EEXIST) {
			break
		}
	}
	return t.newest, err
}

// members makes sure that each hop is an object of the kernel; those that can't be are lost.
func (t *Table) members(hops []Hop) (members []member, reached []Hop, lost []error) {
	for _, one := range hops {
		if t.isNamed(one, hops) {
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

// name notes which of the hops that were found somebody asks for.
func (t *Table) name(hops []Hop) {
	for _, one := range hops {
		if known, is := t.hops[one.Via]; is && !one.Kept {
			known.named = true
			t.hops[one.Via] = known
		}
	}
}

// isNamed says whether a hop that was found, and is known by its gateway only, is there
// under its own name as well: it must not get a second share.
func (t *Table) isNamed(one Hop, among []Hop) bool {
	found, is := t.hops[one.Via]
	return is && one.Kept && !found.named && slices.ContainsFunc(among, func(other Hop) bool {
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
		// Also what a member that is gone is answered with: then both fail.
		if putGroup(t.options.Owner, id, members, false, replace) == nil {
			t.resilient, err = false, nil
		}
	}
	if err != nil {
		return fmt.Errorf("group of %d: %w", len(members), err)
	}
	return nil
}

// forgetFamily gives up hops that no route uses, so that they are made anew.
func (t *Table) forgetFamily(v4 bool) {
	for to, g := range t.groups {
		if g.routed && to.Addr().Is4() == v4 {
			return
		}
	}
	for via, hop := range t.hops {
		if via.Is4() == v4 {
			_ = deleteHop(hop.id) // it may be gone
			delete(t.hops, via)
		}
	}
}

// forget deletes hops that no group has any more.
func (t *Table) forget() error {
	used := map[netip.Addr]bool{}
	for _, g := range t.groups {
		for _, hop := range g.hops {
			used[hop.Via] = true
		}
	}
	for via, hop := range t.hops {
		// The last of a family stays in its group, which can't be empty.
		if used[via] || t.unrouted(via) {
			continue
		}
		if err := deleteHop(hop.id); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("delete next hop %s: %w", via, err)
		}
		delete(t.hops, via)
	}
	return t.forgetSurplus()
}

// forgetSurplus waits until the last group that was found is replaced: without its hops it
// would be gone, and its route with it.
func (t *Table) forgetSurplus() error {
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
