package lab

import (
	"errors"
	"slices"

	"fairlead.dev/agents/internal/lab/nexthop"
	"fairlead.dev/agents/internal/lab/topology"
)

// carries says whether clients' packets should go to a balancer.
func (l *Lab) carries(m *member) bool {
	return m.kind == balancer && m.ready && !m.leaving && !l.members[m.node].drained
}

// updateRoutes gives the router the next hops of the balancers that are ready.
// With a routed network those are the nodes they stand on, and each node has
// next hops of its own.
func (l *Lab) updateRoutes() error {
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
	// Nodes that gain a balancer come before the router and those that lose
	// their last after it, so that none is ever sent what it can't pass on.
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

// checkRoutes looks for what somebody else took away.
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

// setHops gives a router next hops: for each member the one to go by, if any,
// as often as it is named.
func (l *Lab) setHops(at *member, via func(*member) *member) error {
	weights := map[*member]int{}
	for _, m := range l.members {
		if hop := via(m); hop != nil {
			weights[hop]++
		}
	}
	var errs []error
	for _, to := range l.where.services() {
		var hops []nexthop.Hop
		for hop, weight := range weights {
			for _, address := range hop.addresses.addrs() {
				if address.Is4() == to.Addr().Is4() {
					hops = append(hops, nexthop.Hop{Via: address, Weight: weight})
				}
			}
		}
		errs = append(errs, at.table.Set(to, hops))
	}
	return errors.Join(errs...)
}
