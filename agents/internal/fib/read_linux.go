package fib

import (
	"fmt"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"
)

// Read returns the next hops in the kernel of an owner's routes that use groups. It changes
// nothing, so that any process may call it.
func Read(inside func(func() error) error, owner uint8) (map[netip.Prefix][]netip.Addr, error) {
	weighed, err := ReadWeighed(inside, owner)
	hops := make(map[netip.Prefix][]netip.Addr, len(weighed))
	for to := range weighed {
		hops[to] = Vias(weighed[to])
	}
	return hops, err
}

// ReadWeighed is Read with the weight of each hop.
func ReadWeighed(inside func(func() error) error, owner uint8) (hops map[netip.Prefix][]Hop, err error) {
	hops = map[netip.Prefix][]Hop{}
	err = inside(func() error {
		objects, err := readObjects()
		if err != nil {
			return fmt.Errorf("read next hops: %w", err)
		}
		by := map[uint32]object{}
		for _, one := range objects {
			by[one.id] = one
		}
		for _, family := range []uint8{unix.AF_INET, unix.AF_INET6} {
			routes, err := mark{owner: owner}.routes(family)
			if err != nil {
				return fmt.Errorf("read routes: %w", err)
			}
			for _, one := range routes {
				for _, m := range by[one.group].members {
					hops[one.to] = append(hops[one.to], Hop{Via: by[m.id].to.gateway, Weight: int(m.weight) + 1})
				}
				slices.SortFunc(hops[one.to], func(a, b Hop) int { return a.Via.Compare(b.Via) })
			}
		}
		return nil
	})
	return hops, err
}
