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

// Table manages the multipath routes of one owner in one namespace. One goroutine owns it.
type Table struct {
	options   Options
	mark      mark
	resilient bool
	hops      map[netip.Addr]hop // next hops in the kernel
	groups    map[netip.Prefix]group
	surplus   []uint32 // adopted next hops that duplicate ones in hops
	newest    uint32   // the last ID used
}

type hop struct {
	id        uint32
	to        way
	requested bool // by Set; an adopted one is only known by its gateway
}

type group struct {
	id     uint32
	before uint32 // of a previous process, which the route uses until it is set
	hops   []Hop
	routed bool
	metric uint32 // of the existing route, which may differ from the desired one
}

// Buckets of a resilient group: enough that hops share flows evenly, and that removing a hop frees
// only its share.
const buckets = 512

// idleSeconds is how long a bucket must be idle before it may move to a new hop.
const idleSeconds = 30

// unbalancedSeconds is how long a hop of a weighted group may have more than its share. Buckets of a busy service are
// never idle, so without this limit a change of weights would have no effect. Clusters that share a service share its
// connections before that.
const unbalancedSeconds = 5

// unbalancedSecondsOf returns 0, which is no limit, if no hop has a weight: a hop that is added takes over no busy bucket.
func unbalancedSecondsOf(members []member) uint32 {
	for _, m := range members {
		if m.weight > 0 {
			return unbalancedSeconds
		}
	}
	return 0
}

// Open adopts what a previous table of this owner left: its routes stay until Keep or Set changes
// them.
func Open(options Options) (*Table, error) {
	if options.Inside == nil {
		options.Inside = func(do func() error) error { return do() }
	}
	t := &Table{
		options: options, mark: mark{options.Owner, options.Metric}, resilient: options.Resilient,
		hops: map[netip.Addr]hop{}, groups: map[netip.Prefix]group{},
	}
	if err := t.options.Inside(t.adopt); err != nil {
		return nil, fmt.Errorf("read the existing routes%s: %w", t.where(), err)
	}
	return t, nil
}

func (t *Table) where() string {
	if t.options.Name == "" {
		return ""
	}
	return " in " + t.options.Name
}

// Resilient reports whether the kernel supports resilient groups; known after the first Set.
func (t *Table) Resilient() bool { return t.resilient }

// Set routes a prefix to exactly these hops. The kernel swaps the whole group at once, so no packet
// is without a route. Without hops there is no route, and senders get network unreachable.
// Unreachable hops are left out and reported in the error.
func (t *Table) Set(to netip.Prefix, hops []Hop) error {
	if err := t.check(to); err != nil && len(hops) > 0 {
		return err
	}
	hops = slices.Clone(hops)
	slices.SortFunc(hops, func(a, b Hop) int { return a.Via.Compare(b.Via) })
	t.markRequested(hops)
	g := t.groups[to]
	if slices.EqualFunc(g.hops, hops, sameHop) && g.routed == (len(hops) > 0) && t.inPlace(to, g) {
		return nil
	}
	err := t.options.Inside(func() error {
		err := t.set(to, g, hops)
		if err != nil && !g.routed {
			t.deleteUnusedFamily(to.Addr().Is4()) // the kernel may have dropped any of them
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("route %s%s to %d next hops: %w", to, t.where(), len(hops), err)
	}
	return nil
}

func (t *Table) check(to netip.Prefix) error {
	switch {
	case !to.IsValid() || to.Bits() == 0:
		return fmt.Errorf("route %s: a default route is never written", to)
	case !t.options.Permits(to):
		return fmt.Errorf("route %s: it is outside the allowed prefixes: allow it, or reject it from peers", to)
	}
	return nil
}

// Keep removes the routes to all other prefixes.
func (t *Table) Keep(prefixes []netip.Prefix) error {
	var errs []error
	for to, g := range t.groups {
		if slices.Contains(prefixes, to) {
			continue
		}
		delete(t.groups, to)
		errs = append(errs, t.options.Inside(func() error { return errors.Join(t.drop(to, g), t.deleteUnused()) }))
	}
	return errors.Join(errs...)
}

func (t *Table) drop(to netip.Prefix, g group) error {
	if g.routed {
		if err := t.mark.at(g.metric).deleteRoute(to); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("remove the route to %s: %w", to, err)
		}
	}
	for _, id := range []uint32{g.id, g.before} {
		if err := dropObject(id); err != nil {
			return fmt.Errorf("remove the next hops of %s: %w", to, err)
		}
	}
	return nil
}

// dropObject deletes a next hop or a group, if it exists.
func dropObject(id uint32) error {
	if id == 0 {
		return nil
	}
	if err := deleteHop(id); err != nil && !errors.Is(err, unix.ENOENT) {
		return err
	}
	return nil
}

// Prefixes are those that were set, sorted; wide ones first.
func (t *Table) Prefixes() []netip.Prefix {
	return slices.SortedFunc(maps.Keys(t.groups), func(a, b netip.Prefix) int {
		return cmp.Or(cmp.Compare(a.Addr().BitLen(), b.Addr().BitLen()), cmp.Compare(a.Bits(), b.Bits()), a.Addr().Compare(b.Addr()))
	})
}

// Observe reads the next hops of a prefix from the kernel.
func (t *Table) Observe(to netip.Prefix) ([]netip.Addr, error) {
	hops, err := t.Weighed(to)
	return Vias(hops), err
}

// Weighed is Observe with the weights in the kernel.
func (t *Table) Weighed(to netip.Prefix) (found []Hop, err error) {
	g, ok := t.groups[to]
	if !ok || !g.routed {
		return nil, nil
	}
	err = t.options.Inside(func() error {
		objects, err := readObject(cmp.Or(g.id, g.before))
		if errors.Is(err, unix.ENOENT) {
			return nil // the kernel dropped it
		}
		for _, object := range objects {
			for via, hop := range t.hops {
				for _, m := range object.members {
					if m.id == hop.id {
						found = append(found, Hop{Via: via, Weight: int(m.weight) + 1})
					}
				}
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the next hops of %s%s: %w", to, t.where(), err)
	}
	slices.SortFunc(found, func(a, b Hop) int { return a.Via.Compare(b.Via) })
	return found, nil
}
