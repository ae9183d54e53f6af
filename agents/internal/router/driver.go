package router

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/bgp/tcpdrops"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/fib"
)

// Options are the role's dependencies on the host.
type Options struct {
	Engine bgp.Engine
	Open   func(fib.Options) (Table, error)
	Now    func() time.Time
	Log    *slog.Logger
}

// Table is the part of [fib.Table] that the role uses.
type Table interface {
	Set(to netip.Prefix, hops []fib.Hop) error
	Keep(prefixes []netip.Prefix) error
	Check()
	Observe(to netip.Prefix) ([]netip.Addr, error)
	Weighed(to netip.Prefix) ([]fib.Hop, error)
	Rival(to netip.Prefix) (*fib.Rival, error)
	Prefixes() []netip.Prefix
}

// Desired is the complete state of one router.
type Desired struct {
	On      bool
	BGP     bgp.Desired
	Table   fib.Options
	Keeps   time.Duration // how long routes are kept without a peer
	Settles time.Duration // how long after peers are back missing routes are removed
}

// Observed is the state of a router.
type Observed struct {
	On       bool
	Sessions []bgp.Session
	Routes   []Route // in the kernel
	Warnings []string
}

// Route is a route in the kernel.
type Route struct {
	Prefix  netip.Prefix
	Since   time.Time // when it was installed
	Changed time.Time // when its next hops last changed
	Hops    []Hop
}

// Hop is a next hop in the kernel.
type Hop struct {
	Via    netip.Addr
	Weight int // in the kernel, whatever was written
	Since  time.Time
}

// Driver installs routes. All methods but Wake belong to the agent's loop.
type Driver struct {
	options  Options
	listener *bgp.Listener
	timer    *time.Timer

	desired  Desired
	table    Table
	trust    trust
	trusted  trustLevel
	peers    int // with an established session
	dirty    map[netip.Prefix]bool
	routed   map[netip.Prefix][]bgp.NextHop
	refused  map[netip.Prefix]string // errors of routes that could not be written
	shadowed map[netip.Prefix]string // the route that the kernel prefers
	unknown  map[netip.Prefix]unknownShare
	ages     ages
	news     events.Events
	learned  learned // since the previous Woken
	updates  bgp.Updates
	history  message.History
	doubts   message.SessionMonitor
}

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{
		options: options, listener: bgp.Listen(options.Engine), news: events.Events{Log: options.Log},
		doubts: message.SessionMonitor{Dropped: tcpdrops.Read},
		dirty:  map[netip.Prefix]bool{}, routed: map[netip.Prefix][]bgp.NextHop{}, refused: map[netip.Prefix]string{},
		shadowed: map[netip.Prefix]string{}, unknown: map[netip.Prefix]unknownShare{}, ages: ages{},
	}
	d.timer = time.AfterFunc(time.Hour, d.listener.Notify)
	d.timer.Stop()
	return d
}

// Wake is readable when Woken should be called.
func (d *Driver) Wake() <-chan struct{} { return d.listener.Wake() }

// Set installs the allowed routes, and repairs routes that the kernel lost.
func (d *Driver) Set(ctx context.Context, desired Desired) (changes int, err error) {
	if !desired.On {
		return d.off()
	}
	if d.table == nil || !sameTable(d.desired.Table, desired.Table) {
		if err := d.open(desired); err != nil {
			return 0, err
		}
		changes++
	}
	d.trust.keeps, d.trust.settles = desired.Keeps, desired.Settles
	d.desired = desired
	d.table.Check() // the kernel may have dropped routes of a link that was down
	n, err := d.options.Engine.Set(ctx, desired.BGP)
	if err != nil {
		return changes, err
	}
	for prefix := range d.refused {
		d.dirty[prefix] = true // it may succeed now
	}
	d.markRouted()
	if _, err := d.Woken(ctx); err != nil {
		return changes + n, err
	}
	if d.trusted == everything {
		err = d.table.Keep(slices.Collect(maps.Keys(d.routed)))
	}
	return changes + n, err
}

func (d *Driver) mark(prefixes []netip.Prefix) {
	for _, prefix := range prefixes {
		d.dirty[prefix] = true
	}
}

func (d *Driver) markRouted() {
	for prefix := range d.routed {
		d.dirty[prefix] = true
	}
}

// Woken applies the engine's current routes to the kernel.
func (d *Driver) Woken(ctx context.Context) (news bool, err error) {
	if d.table == nil {
		return false, nil
	}
	changes := d.options.Engine.Take()
	message.Record(&d.news, changes)
	d.history.Sessions(changes.Sessions)
	d.learned = learnedFrom(changes.Updates)
	d.mark(changes.Prefixes)
	if changes.Reset {
		d.markRouted()
	}
	// Hops are read before sessions, so that the loss of a session in between is noticed.
	offered := make(map[netip.Prefix][]bgp.NextHop, len(d.dirty))
	for prefix := range d.dirty {
		if offered[prefix], err = d.options.Engine.Hops(ctx, prefix); err != nil {
			return false, fmt.Errorf("read the routes to %s: %w", prefix, err)
		}
	}
	up, err := d.options.Engine.Up(ctx)
	if err != nil {
		return false, err
	}
	before, offers := d.trusted, false
	for _, hops := range offered {
		offers = offers || len(hops) > 0
	}
	d.peers = len(up)
	d.updateTrust(offers)
	d.reportTrust(before)
	if d.trusted == everything && before != everything {
		d.markRouted()
		d.listener.Notify() // removals that were postponed are applied then
	}
	for _, prefix := range slices.SortedFunc(maps.Keys(offered), netip.Prefix.Compare) {
		d.route(prefix, offered[prefix])
	}
	return len(changes.Sessions)+len(offered) > 0, nil
}

// updateTrust sets how much of the engine's table is trusted, and schedules the next change of that.
func (d *Driver) updateTrust(offers bool) {
	now := d.options.Now()
	d.trust.update(d.peers > 0, offers, now)
	belief, next := d.trust.at(now)
	if d.trusted = belief; !next.IsZero() {
		d.timer.Reset(next.Sub(now))
	}
}

// route writes one prefix. Changes that aren't trusted yet are retried when they are.
func (d *Driver) route(prefix netip.Prefix, offered []bgp.NextHop) {
	hops := offered
	switch d.trusted {
	case nothing:
		hops = d.routed[prefix]
	case additions:
		hops = union(offered, d.routed[prefix])
	case everything:
		delete(d.dirty, prefix)
	}
	wanted := weigh(hops)
	for i, hop := range hops {
		wanted[i].Kept = !slices.ContainsFunc(offered, func(other bgp.NextHop) bool { return other.Via == hop.Via })
	}
	before := d.routed[prefix]
	if d.routed[prefix] = hops; len(hops) == 0 {
		delete(d.routed, prefix)
	}
	addresses := bgp.Addresses(hops)
	err := d.table.Set(prefix, wanted)
	d.reportWritten(prefix, addresses, err)
	if err != nil {
		d.refused[prefix] = err.Error() // other routes are still written; a warning reports this one
		return
	}
	delete(d.refused, prefix)
	now := d.options.Now()
	d.ages.update(prefix, wanted, now)
	d.updates.Add(d.learned.steps(prefix, bgp.Addresses(before), addresses, now)...)
}

// Close implements agent.Driver. Routes stay for the next process.
func (d *Driver) Close() error {
	d.timer.Stop()
	d.listener.Close()
	return d.options.Engine.Close()
}
