package fib

import (
	"net/netip"
	"slices"
)

// Hop is one way on.
type Hop struct {
	Via    netip.Addr
	Weight int  // 1 … 256
	Kept   bool // nobody asks for it, but it was there
}

// sameHop doesn't mind why.
func sameHop(a, b Hop) bool { return a.Via == b.Via && a.Weight == b.Weight }

// Vias are where hops lead, in their order; nil for none.
func Vias(hops []Hop) (vias []netip.Addr) {
	for _, hop := range hops {
		vias = append(vias, hop.Via)
	}
	return vias
}

// Options are what a table is opened with.
type Options struct {
	Name      string                   // of the namespace, for people; empty: this one
	Inside    func(func() error) error // runs what must happen there; nil: right here
	Owner     uint8                    // a number of rt_protos, which marks what is the table's own
	Metric    uint32                   // of routes; 0: the kernel's own
	Resilient bool                     // groups, where the kernel can
	Allows    []netip.Prefix           // where routes may lead; nil: anywhere
}

// Permits says whether a route may lead there.
func (o Options) Permits(to netip.Prefix) bool {
	return o.Allows == nil || slices.ContainsFunc(o.Allows, func(allowed netip.Prefix) bool {
		return allowed.Bits() <= to.Bits() && allowed.Contains(to.Addr())
	})
}
