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
	"fairlead.dev/agents/internal/bgp/unheard"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/fib"
)

// Options are what the role needs of its host.
type Options struct {
	Engine bgp.Engine
	Open   func(fib.Options) (Table, error)
	Now    func() time.Time
	Log    *slog.Logger
}

// Table is the kernel's routes, as [fib.Table] writes them.
type Table interface {
	Set(to netip.Prefix, hops []fib.Hop) error
	Keep(prefixes []netip.Prefix) error
	Check()
	Observe(to netip.Prefix) ([]netip.Addr, error)
	Weighed(to netip.Prefix) ([]fib.Hop, error)
	Rival(to netip.Prefix) (*fib.Rival, error)
	Prefixes() []netip.Prefix
}

// Desired is what one router should do.
type Desired struct {
	On      bool
	BGP     bgp.Desired
	Table   fib.Options
	Keeps   time.Duration // routes, when no peer is left
	Settles time.Duration // until what peers don't tell of is gone, after they came back
}

// Observed is what a router does.
type Observed struct {
	On       bool
	Sessions []bgp.Session
	Routes   []Route // of the kernel
	Warnings []string
}

// Route is one that the kernel has.
type Route struct {
	Prefix  netip.Prefix
	Since   time.Time // that it is there
	Changed time.Time // when its hops became these
	Hops    []Hop
}

// Hop is a way on that the kernel has.
type Hop struct {
	Via    netip.Addr
	Weight int // as the kernel has it, whatever was written
	Since  time.Time
}

// Driver routes. All but Wake belongs to the agent's loop.
type Driver struct {
	options  Options
	listener *bgp.Listener
	timer    *time.Timer

	desired  Desired
	table    Table
	trust    trust
	believed belief
	peers    int // that a session is up with
	dirty    map[netip.Prefix]bool
	routed   map[netip.Prefix][]netip.Addr
	refused  map[netip.Prefix]string // why a route could not be written
	shadowed map[netip.Prefix]string // by which rival
	ages     ages
	news     events.Events
	learned  learned // since Woken was called before
	updates  bgp.Updates
	history  message.History
	doubts   message.Doubts
}

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{
		options: options, listener: bgp.Listen(options.Engine), news: events.Events{Log: options.Log},
		doubts: message.Doubts{Dropped: unheard.Read},
		dirty:  map[netip.Prefix]bool{}, routed: map[netip.Prefix][]netip.Addr{}, refused: map[netip.Prefix]string{},
		shadowed: map[netip.Prefix]string{}, ages: ages{},
	}
	d.timer = time.AfterFunc(time.Hour, d.listener.Stir)
	d.timer.Stop()
	return d
}

// Wake is readable when Woken should be called.
func (d *Driver) Wake() <-chan struct{} { return d.listener.Wake() }

// Set routes what desired lets in, and looks after what the kernel has.
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
	d.table.Check() // whatever the engine has to say: the kernel may have lost routes by a link that was down
	n, err := d.options.Engine.Set(ctx, desired.BGP)
	if err != nil {
		return changes, err
	}
	for prefix := range d.refused {
		d.dirty[prefix] = true // it may work now
	}
	d.markRouted()
	if _, err := d.Woken(ctx); err != nil {
		return changes + n, err
	}
	if d.believed == everything {
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

// Woken brings the kernel up to what the engine knows now.
func (d *Driver) Woken(ctx context.Context) (news bool, err error) {
	if d.table == nil {
		return false, nil
	}
	changes := d.options.Engine.Take()
	message.Say(&d.news, changes)
	d.history.Sessions(changes.Sessions)
	d.learned = learn(changes.Updates)
	d.mark(changes.Prefixes)
	if changes.Anew {
		d.markRouted()
	}
	// Hops are read before sessions: those of a peer that goes in between aren't missed.
	offered := make(map[netip.Prefix][]netip.Addr, len(d.dirty))
	for prefix := range d.dirty {
		if offered[prefix], err = d.options.Engine.Hops(ctx, prefix); err != nil {
			return false, fmt.Errorf("read the routes to %s: %w", prefix, err)
		}
	}
	up, err := d.options.Engine.Up(ctx)
	if err != nil {
		return false, err
	}
	before, offers := d.believed, false
	for _, hops := range offered {
		offers = offers || len(hops) > 0
	}
	d.peers = len(up)
	d.believe(offers)
	d.sayBelief(before)
	if d.believed == everything && before != everything {
		d.markRouted()
		d.listener.Stir() // what was only added to is looked at again, as it is by then
	}
	for _, prefix := range slices.SortedFunc(maps.Keys(offered), netip.Prefix.Compare) {
		d.route(prefix, offered[prefix])
	}
	return len(changes.Sessions)+len(offered) > 0, nil
}

// believe decides what the engine's table says, and wakes itself when that changes.
func (d *Driver) believe(offers bool) {
	now := d.options.Now()
	d.trust.see(d.peers > 0, offers, now)
	belief, next := d.trust.at(now)
	if d.believed = belief; !next.IsZero() {
		d.timer.Reset(next.Sub(now))
	}
}

// route writes one prefix. What isn't believed yet is looked at again once it is.
func (d *Driver) route(prefix netip.Prefix, offered []netip.Addr) {
	hops := offered
	switch d.believed {
	case nothing:
		hops = d.routed[prefix]
	case additions:
		hops = append(hops, d.routed[prefix]...)
		slices.SortFunc(hops, netip.Addr.Compare)
		hops = slices.Compact(hops)
	case everything:
		delete(d.dirty, prefix)
	}
	wanted := make([]fib.Hop, len(hops))
	for i, hop := range hops {
		wanted[i] = fib.Hop{Via: hop, Weight: 1, Kept: !slices.Contains(offered, hop)}
	}
	before := d.routed[prefix]
	if d.routed[prefix] = hops; len(hops) == 0 {
		delete(d.routed, prefix)
	}
	err := d.table.Set(prefix, wanted)
	d.sayWritten(prefix, hops, err)
	if err != nil {
		d.refused[prefix] = err.Error() // the others are routed; a warning says it
		return
	}
	delete(d.refused, prefix)
	now := d.options.Now()
	d.ages.see(prefix, wanted, now)
	d.updates.Note(d.learned.steps(prefix, before, hops, now)...)
}

// Close implements agent.Driver: routes stay, for the process that comes after this one.
func (d *Driver) Close() error {
	d.timer.Stop()
	d.listener.Close()
	return d.options.Engine.Close()
}
