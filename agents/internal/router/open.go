package router

import (
	"errors"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/fib"
)

func sameTable(a, b fib.Options) bool {
	return a.Owner == b.Owner && a.Metric == b.Metric && a.Resilient == b.Resilient && slices.Equal(a.Allows, b.Allows)
}

// open adopts the routes that a previous process left in the kernel.
func (d *Driver) open(desired Desired) error {
	table, err := d.options.Open(desired.Table)
	if err != nil {
		return err
	}
	// A route that is no longer allowed is removed, even without peers.
	permitted := slices.DeleteFunc(table.Prefixes(), func(to netip.Prefix) bool { return !desired.Table.Permits(to) })
	if err := table.Keep(permitted); err != nil {
		return err
	}
	routed := make(map[netip.Prefix][]bgp.NextHop, len(permitted))
	for _, prefix := range permitted {
		hops, err := table.Weighed(prefix)
		if err != nil {
			return err
		}
		routed[prefix] = adopted(hops)
	}
	if d.table == nil {
		d.reportAdopted(len(routed))
	}
	d.table, d.routed, d.trust = table, routed, newTrust(desired.Keeps, desired.Settles, d.options.Now())
	return nil
}

func (d *Driver) off() (changes int, err error) {
	if d.table == nil {
		return 0, nil
	}
	err = errors.Join(d.options.Engine.Close(), d.table.Keep(nil))
	d.table, d.desired = nil, Desired{}
	clear(d.dirty)
	clear(d.routed)
	clear(d.refused)
	clear(d.shadowed)
	clear(d.ages)
	return 1, err
}
