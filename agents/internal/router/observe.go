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
	d.doubts.Check(&d.news, observed.Sessions, d.options.Now())
	for _, prefix := range d.table.Prefixes() {
		weighed, err := d.table.Weighed(prefix)
		if err != nil {
			return observed, err
		}
		hops := fib.Vias(weighed)
		route, rival := d.ages.update(prefix, weighed, d.options.Now()), d.rival(prefix, hops)
		d.reportShadowed(prefix, hops, rival)
		if warning := d.checkShares(prefix); warning != "" {
			observed.Warnings = append(observed.Warnings, warning)
		}
		if len(hops) > 0 && rival == nil {
			observed.Routes = append(observed.Routes, route)
		}
	}
	for _, prefix := range slices.SortedFunc(maps.Keys(d.shadowed), netip.Prefix.Compare) {
		observed.Warnings = append(observed.Warnings, d.shadowed[prefix])
	}
	for _, prefix := range slices.SortedFunc(maps.Keys(d.refused), netip.Prefix.Compare) {
		observed.Warnings = append(observed.Warnings, "A route could not be installed completely: "+d.refused[prefix]+".")
	}
	if d.trusted == nothing {
		observed.Warnings = append(observed.Warnings, fmt.Sprintf("%s: routes are kept until %s.", d.lossReason("All peers are lost", "Peers are back without routes"), d.keptUntil()))
	}
	return observed, nil
}

// rival returns the route that the kernel prefers to ours, if any. If that can't be read, our route
// counts as used.
func (d *Driver) rival(prefix netip.Prefix, hops []netip.Addr) *fib.Rival {
	if len(hops) == 0 {
		return nil
	}
	rival, err := d.table.Rival(prefix)
	if err != nil {
		d.options.Log.Warn("could not read which route the kernel prefers", "role", RoleName, "err", err)
	}
	return rival
}
