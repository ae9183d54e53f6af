package lab

import (
	"errors"
	"net/netip"
	"slices"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/lab/topology"
	"fairlead.dev/agents/internal/netspace"
)

// carries reports whether client packets should go to a balancer.
func (l *Lab) carries(m *member) bool {
	serves := m.serves == nil || len(m.serves) > 0
	return m.kind == balancer && m.ready && serves && !m.leaving && !l.members[m.node].drained
}

// updateRoutes sets the router's next hops to the ready balancers. In a routed network the next hops are
// their nodes, and each node has next hops of its own.
func (l *Lab) updateRoutes() error {
	if l.byBGP() {
		return l.readRoutes() // speakers advertise to the router
	}
	if l.where.flat() {
		return l.setHops(l.members[topology.Router], func(m *member) *member {
			if l.carries(m) {
				return m
			}
			return nil
		})
	}
	var errs []error
	var empty []*member
	for _, name := range l.order {
		on := l.members[name]
		if on.kind != node {
			continue
		}
		if !slices.ContainsFunc(l.order, func(name string) bool { m := l.members[name]; return l.carries(m) && m.node == on.name }) {
			empty = append(empty, on)
			continue
		}
		errs = append(errs, l.setLocalHops(on))
	}
	// Update nodes that gain a balancer before the router, and nodes that lose their last one after it, so
	// that no node receives packets it can't forward.
	errs = append(errs, l.setHops(l.members[topology.Router], func(m *member) *member {
		if l.carries(m) {
			return l.members[m.node]
		}
		return nil
	}))
	for _, on := range empty {
		errs = append(errs, l.setLocalHops(on))
	}
	return errors.Join(errs...)
}

// checkRoutes detects removed routes.
func (l *Lab) checkRoutes() {
	for _, m := range l.members {
		if m.table != nil {
			m.table.Check()
		}
	}
}

func (l *Lab) setLocalHops(on *member) error {
	return l.setHops(on, func(m *member) *member {
		if l.carries(m) && m.node == on.name {
			return m
		}
		return nil
	})
}

// setHops sets a router's next hops: one for each member via returns, as often as it returns it.
func (l *Lab) setHops(at *member, via func(*member) *member) error {
	var errs []error
	whole := l.where.services()
	kept := slices.Clone(whole)
	for _, to := range append(whole, l.partlyCarried()...) {
		weights := map[*member]int{}
		for _, m := range l.members {
			if hop := via(m); hop != nil && (slices.Contains(whole, to) || m.takes(to.Addr())) {
				weights[hop]++
			}
		}
		hops := hopsOf(weights, to.Addr().Is4())
		if len(hops) == 0 && !slices.Contains(whole, to) {
			continue
		}
		kept = append(kept, to)
		errs = append(errs, at.table.Set(to, hops))
	}
	return errors.Join(append(errs, at.table.Keep(kept))...)
}

// newTable returns a router's table. Its routes carry the same mark as routes added by hand.
func newTable(space *netspace.Space, resilient bool) (*fib.Table, error) {
	return fib.Open(fib.Options{Name: space.Name, Inside: space.Do, Owner: unix.RTPROT_STATIC, Resilient: resilient})
}

func hopsOf(weights map[*member]int, v4 bool) (hops []fib.Hop) {
	for hop, weight := range weights {
		for _, address := range hop.addresses.addrs() {
			if address.Is4() == v4 {
				hops = append(hops, fib.Hop{Via: address, Weight: weight})
			}
		}
	}
	return hops
}

// takes reports whether packets to a service address should go to a balancer.
func (m *member) takes(address netip.Addr) bool {
	return m.serves == nil || slices.Contains(m.serves, address)
}

// partlyCarried are the addresses that only some balancers carry. They have routes of their own; all others
// use the prefix's route.
func (l *Lab) partlyCarried() (partly []netip.Prefix) {
	var carrying []*member
	by := map[netip.Addr]int{}
	for _, m := range l.members {
		if !l.carries(m) {
			continue
		}
		carrying = append(carrying, m)
		for _, address := range m.serves {
			by[address]++
		}
	}
	for address, count := range by {
		if count < len(carrying) {
			partly = append(partly, netip.PrefixFrom(address, address.BitLen()))
		}
	}
	slices.SortFunc(partly, func(a, b netip.Prefix) int { return a.Addr().Compare(b.Addr()) })
	return partly
}
