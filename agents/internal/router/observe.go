package router

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/fib"
)

// Observe implements agent.Driver.
func (d *Driver) Observe(ctx context.Context) (observed Observed, err error) {
	if d.table == nil {
		return observed, nil
	}
	observed.On = true
	if observed.Sessions, err = d.options.Engine.Sessions(ctx); err != nil {
		return observed, err
	}
	d.doubts.Look(&d.news, observed.Sessions, d.options.Now())
	for _, prefix := range d.table.Prefixes() {
		weighed, err := d.table.Weighed(prefix)
		if err != nil {
			return observed, err
		}
		hops := fib.Vias(weighed)
		route, rival := d.ages.see(prefix, weighed, d.options.Now()), d.rival(prefix, hops)
		d.sayShadowed(prefix, hops, rival)
		if len(hops) > 0 && rival == nil {
			observed.Routes = append(observed.Routes, route)
		}
	}
	for _, prefix := range slices.SortedFunc(maps.Keys(d.shadowed), netip.Prefix.Compare) {
		observed.Warnings = append(observed.Warnings, d.shadowed[prefix])
	}
	for _, prefix := range slices.SortedFunc(maps.Keys(d.refused), netip.Prefix.Compare) {
		observed.Warnings = append(observed.Warnings, "A route is not as peers offer it: "+d.refused[prefix]+".")
	}
	if d.believed == nothing {
		observed.Warnings = append(observed.Warnings, fmt.Sprintf("%s: routes stay as they were until %s.", d.unheard("No peer is left", "Peers are back, and offer nothing at all"), d.keptUntil()))
	}
	return observed, nil
}

// rival is what the kernel prefers to our route, if there is one. Where that can't be asked
// the route counts as used: it is there.
func (d *Driver) rival(prefix netip.Prefix, hops []netip.Addr) *fib.Rival {
	if len(hops) == 0 {
		return nil
	}
	rival, err := d.table.Rival(prefix)
	if err != nil {
		d.options.Log.Warn("the kernel doesn't say which route it prefers", "role", RoleName, "err", err)
	}
	return rival
}
