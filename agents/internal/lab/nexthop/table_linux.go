package nexthop

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// Hop is one way on, by an address on the table's interface.
type Hop struct {
	Via    netip.Addr
	Weight int // 1 … 256
}

// Table is the multipath routes of one namespace by way of one interface. One
// goroutine owns it, and it owns all next-hop objects of the namespace.
type Table struct {
	space     *netspace.Space
	link      uint32
	resilient bool
	hops      map[netip.Addr]uint32 // ids of next hops the kernel has
	groups    map[netip.Prefix]group
	newest    uint32 // id given out
}

type group struct {
	id     uint32
	hops   []Hop
	routed bool
}

// Buckets of a resilient group: enough that hops share flows evenly, and a hop
// that went frees its share only.
const buckets = 512

// idleSeconds is how long a bucket must be silent before it may move to a hop
// that was added.
const idleSeconds = 30

// NewTable starts with a namespace that has no next hops yet. Its groups are
// resilient where that is asked for and the kernel can.
func NewTable(space *netspace.Space, device string, resilient bool) (*Table, error) {
	link, err := space.Links().LinkByName(device)
	if err != nil {
		return nil, fmt.Errorf("find %s of %s: %w", device, space.Name, err)
	}
	return &Table{
		space: space, link: uint32(link.Attrs().Index), resilient: resilient,
		hops: map[netip.Addr]uint32{}, groups: map[netip.Prefix]group{},
	}, nil
}

// Resilient says whether the kernel has resilient groups; known after the first Set.
func (t *Table) Resilient() bool { return t.resilient }

// Set sends a prefix by exactly these hops. The kernel swaps the whole group at
// once, so no packet finds none. Without hops there is no route, and who asks
// is told that the network is unreachable.
func (t *Table) Set(to netip.Prefix, hops []Hop) error {
	hops = slices.Clone(hops)
	slices.SortFunc(hops, func(a, b Hop) int { return a.Via.Compare(b.Via) })
	g := t.groups[to]
	if slices.Equal(g.hops, hops) && g.routed == (len(hops) > 0) {
		return nil
	}
	err := t.space.Do(func() error {
		err := t.set(to, g, hops)
		if err != nil && !g.routed {
			t.forgetFamily(to.Addr().Is4()) // the kernel may have dropped any of them
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("route %s in %s by %d next hops: %w", to, t.space.Name, len(hops), err)
	}
	return nil
}

// Keep takes all other prefixes' routes away.
func (t *Table) Keep(prefixes []netip.Prefix) error {
	var errs []error
	for to, g := range t.groups {
		if slices.Contains(prefixes, to) {
			continue
		}
		delete(t.groups, to)
		errs = append(errs, t.space.Do(func() error { return errors.Join(dropGroup(to, g), t.forget()) }))
	}
	return errors.Join(errs...)
}

func dropGroup(to netip.Prefix, g group) error {
	if g.routed {
		if err := deleteRoute(to); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("take the route %s away: %w", to, err)
		}
	}
	if g.id == 0 {
		return nil
	}
	if err := deleteHop(g.id); err != nil && !errors.Is(err, unix.ENOENT) {
		return fmt.Errorf("take the next hops of %s away: %w", to, err)
	}
	return nil
}

// Prefixes are those that were set, sorted: the wide ones come first.
func (t *Table) Prefixes() []netip.Prefix {
	return slices.SortedFunc(maps.Keys(t.groups), func(a, b netip.Prefix) int {
		return cmp.Or(cmp.Compare(a.Addr().BitLen(), b.Addr().BitLen()), cmp.Compare(a.Bits(), b.Bits()), a.Addr().Compare(b.Addr()))
	})
}

func (t *Table) set(to netip.Prefix, g group, hops []Hop) error {
	if len(hops) == 0 {
		// The group stays with its buckets, for when hops come back.
		if err := deleteRoute(to); err != nil && !errors.Is(err, unix.ESRCH) {
			return err
		}
		g.routed, g.hops = false, nil
		t.groups[to] = g
		return nil
	}
	members, err := t.members(hops)
	if err != nil {
		return err
	}
	if g.id == 0 {
		g.id = t.nextID()
	}
	if err := t.replaceGroup(g.id, members); err != nil {
		return err
	}
	if !g.routed {
		if err := replaceRoute(to, g.id); err != nil {
			return err
		}
	}
	g.routed, g.hops = true, hops
	t.groups[to] = g
	return t.forget()
}

func (t *Table) nextID() uint32 {
	t.newest++
	return t.newest
}

// members makes sure that each hop is an object of the kernel.
func (t *Table) members(hops []Hop) ([]member, error) {
	var members []member
	for _, hop := range hops {
		if hop.Weight < 1 || hop.Weight > 256 {
			return nil, fmt.Errorf("%s has weight %d: use 1 to 256", hop.Via, hop.Weight)
		}
		id, ok := t.hops[hop.Via]
		if !ok {
			id = t.nextID()
			if err := addHop(id, t.link, hop.Via); err != nil {
				return nil, fmt.Errorf("next hop %s: %w", hop.Via, err)
			}
			t.hops[hop.Via] = id
		}
		members = append(members, member{id, uint8(hop.Weight - 1)})
	}
	return members, nil
}

func (t *Table) replaceGroup(id uint32, members []member) error {
	err := putGroup(id, members, t.resilient)
	if t.resilient && (errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EOPNOTSUPP)) {
		// Also what a member that is gone is answered with: then both fail.
		if putGroup(id, members, false) == nil {
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
	for via, id := range t.hops {
		if via.Is4() == v4 {
			_ = deleteHop(id) // it may be gone
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
	for via, id := range t.hops {
		// The last of a family stays in its group, which can't be empty.
		if used[via] || t.unrouted(via) {
			continue
		}
		if err := deleteHop(id); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("delete next hop %s: %w", via, err)
		}
		delete(t.hops, via)
	}
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

// Check finds out whether the kernel still has what was set: it drops all next
// hops of an interface that loses its carrier. If not, the next Set makes them anew.
func (t *Table) Check() {
	for to, g := range t.groups {
		found, err := t.Observe(to) // what can't be read now is looked at next time
		if err == nil && g.routed && !slices.EqualFunc(g.hops, found, func(hop Hop, via netip.Addr) bool { return hop.Via == via }) {
			t.abandon()
			return
		}
	}
}

// abandon forgets everything; what the kernel still has of it, it loses.
func (t *Table) abandon() {
	_ = t.space.Do(func() error {
		for to, g := range t.groups {
			_ = deleteRoute(to)
			_ = deleteHop(g.id)
		}
		for _, id := range t.hops {
			_ = deleteHop(id)
		}
		return nil
	})
	t.hops, t.groups = map[netip.Addr]uint32{}, map[netip.Prefix]group{}
}

// Observe reads back which hops the kernel sends a prefix by.
func (t *Table) Observe(to netip.Prefix) ([]netip.Addr, error) {
	g, ok := t.groups[to]
	if !ok || !g.routed {
		return nil, nil
	}
	var found []netip.Addr
	err := t.space.Do(func() error {
		ids, err := groupMembers(g.id)
		if errors.Is(err, unix.ENOENT) {
			return nil // the kernel dropped it
		}
		for via, id := range t.hops {
			if slices.Contains(ids, id) {
				found = append(found, via)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the next hops of %s in %s: %w", to, t.space.Name, err)
	}
	slices.SortFunc(found, netip.Addr.Compare)
	return found, nil
}
