package fib

import (
	"net/netip"
	"slices"
)

// Hop is a next hop.
type Hop struct {
	Via    netip.Addr
	Weight int  // 1 … 256
	Kept   bool // not requested, but already in use
}

// sameHop ignores Kept.
func sameHop(a, b Hop) bool { return a.Via == b.Via && a.Weight == b.Weight }

// Vias are the addresses of hops, in order; nil for none.
func Vias(hops []Hop) (vias []netip.Addr) {
	for _, hop := range hops {
		vias = append(vias, hop.Via)
	}
	return vias
}

// Options are the settings of a table.
type Options struct {
	Name      string                   // of the namespace, for messages; empty: this one
	Inside    func(func() error) error // runs a function in the namespace; nil: run it directly
	Owner     uint8                    // a number of rt_protos that marks our objects
	Metric    uint32                   // of routes; 0: the kernel's default
	Resilient bool                     // use resilient groups if supported
	Allows    []netip.Prefix           // allowed destinations; nil: any
}

// Permits reports whether a destination is allowed.
func (o Options) Permits(to netip.Prefix) bool {
	return o.Allows == nil || slices.ContainsFunc(o.Allows, func(allowed netip.Prefix) bool {
		return allowed.Bits() <= to.Bits() && allowed.Contains(to.Addr())
	})
}
