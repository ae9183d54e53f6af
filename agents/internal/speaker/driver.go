package speaker

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/bgp/tcpdrops"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/health"
)

// Options are the role's dependencies on the host.
type Options struct {
	Engine  bgp.Engine
	Probe   func(context.Context, health.Target) error         // through the replica's own data path
	Connect func(context.Context, health.Target) error         // from this host, for services of a process
	Live    func(netip.Prefix) (connections int, at time.Time) // the last count, with its time on this process's clock; the zero time if never
	Ready   func(prefix netip.Prefix, is bool) time.Time       // since when a backend is up, or all are down; the zero time if neither or unknown; may be nil
	Now     func() time.Time
	Log     *slog.Logger
	Ends    func() // called once, when the process has to stop; may be nil

	Arrivals Arrivals // nil where arrivals can't be observed
}

// Observed is the state of a speaker.
type Observed struct {
	On            bool
	Sessions      []bgp.Session
	Announcements []Announcement // sorted by prefix
}

// Announcement is the announcement state of a service.
type Announcement struct {
	LoadBalancer string
	Prefix       netip.Prefix
	NextHop      netip.Addr
	State        State
	Since        time.Time
	Why          string // empty when it is advertised
	Unknown      bool   // withdrawn because no probe has a result yet
}

// Driver advertises the services of a replica. All methods but Wake belong to the agent's loop.
type Driver struct {
	options  Options
	listener *bgp.Listener
	timer    *time.Timer
	monitor  *health.Monitor

	plain atomic.Pointer[map[health.Target]bool] // targets that a process answers

	desired Desired
	states  map[netip.Prefix]Announcement
	leaving map[netip.Prefix]time.Time // since when
	ends    bool                       // the process is stopping
	news    events.Events
	trail   *trail
	history message.History
	doubts  message.SessionMonitor
}

// recountEvery is the interval at which connections of a leaving service are counted.
const recountEvery = 200 * time.Millisecond

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{
		options: options, listener: bgp.Listen(options.Engine), news: events.Events{Log: options.Log},
		doubts: message.SessionMonitor{Dropped: tcpdrops.Read},
		states: map[netip.Prefix]Announcement{}, leaving: map[netip.Prefix]time.Time{},
	}
	d.monitor = health.NewMonitor(health.Options{Probe: d.probe, Changed: d.listener.Notify})
	d.timer = time.AfterFunc(time.Hour, d.listener.Notify)
	d.timer.Stop()
	d.trail = newTrail(options, d.listener.Notify)
	return d
}

// Wake is readable when Woken should be called.
func (d *Driver) Wake() <-chan struct{} { return d.listener.Wake() }

// Set advertises the desired services. A service that is removed is withdrawn at once; to drain it,
// set it as leaving first.
func (d *Driver) Set(ctx context.Context, desired Desired) (changes int, err error) {
	if !desired.On {
		return d.off()
	}
	if err := desired.Check(); err != nil {
		return 0, err
	}
	d.desired = desired
	plain := desired.plain()
	d.plain.Store(&plain)
	d.monitor.Set(desired.targets())
	for prefix, one := range d.states {
		if _, named := desired.service(prefix); !named {
			d.recordRemoval(one)
			if one.State != Withdrawn {
				d.trail.announce(prefix, one.NextHop, true, time.Time{}, d.options.Now())
			}
			delete(d.states, prefix)
			delete(d.leaving, prefix)
		}
	}
	return d.advertise(ctx)
}

// probe is called on the monitor's goroutines.
func (d *Driver) probe(ctx context.Context, target health.Target) error {
	if plain := d.plain.Load(); plain != nil && (*plain)[target] {
		return d.options.Connect(ctx, target)
	}
	return d.options.Probe(ctx, target)
}

func (d *Driver) off() (changes int, err error) {
	if !d.desired.On {
		return 0, nil
	}
	d.monitor.Set(nil)
	d.desired = Desired{}
	for _, one := range d.states {
		d.recordRemoval(one)
	}
	clear(d.states)
	clear(d.leaving)
	d.trail.reset()
	return 1, d.options.Engine.Close()
}

// Woken applies the current probe results.
func (d *Driver) Woken(ctx context.Context) (news bool, err error) {
	if !d.desired.On {
		return false, nil
	}
	changes := d.options.Engine.Take()
	message.Record(&d.news, changes)
	d.history.Sessions(changes.Sessions)
	d.trail.sessions(changes.Reset, changes.Sessions)
	n, err := d.advertise(ctx)
	d.trail.collectArrivals(d.options.Now())
	return n > 0 || len(changes.Sessions) > 0 || d.trail.updates.Len() > 0, err
}

// advertise sets the current state of every service in the engine.
func (d *Driver) advertise(ctx context.Context) (changes int, err error) {
	now := d.options.Now()
	whole, drains := d.desired.BGP, false
	whole.Offers = nil
	for _, service := range d.desired.Services {
		seen := d.look(service, now)
		state, why := decide(seen, d.desired.DrainFor)
		d.recordState(service, state, why, seen)
		if offer, is := offerOf(service, state); is {
			whole.Offers = append(whole.Offers, offer)
		}
		drains = drains || state == Draining
	}
	if drains {
		d.timer.Reset(recountEvery)
	}
	changes, err = d.options.Engine.Set(ctx, whole)
	d.trail.watch()
	return changes, err
}

func (d *Driver) look(service Service, now time.Time) observations {
	prefix, s := service.Offer.Prefix, observations{now: now}
	for _, probe := range service.Probes {
		s.states = append(s.states, d.monitor.State(probe))
	}
	if !service.Leaving && !d.desired.Leaving && !d.ends {
		delete(d.leaving, prefix)
		return s
	}
	if _, since := d.leaving[prefix]; !since {
		d.leaving[prefix] = now
	}
	s.leaving = d.leaving[prefix]
	s.live, s.counted = d.options.Live(prefix)
	return s
}

// recordState records the state of a service and its time.
func (d *Driver) recordState(service Service, state State, why string, s observations) {
	prefix, now := service.Offer.Prefix, s.now
	before, had := d.states[prefix]
	since := before.Since
	if !had || before.State != state {
		since = now
		d.recordUpdate(service, before.State, state, s)
	}
	after := Announcement{service.LoadBalancer, prefix, service.Offer.NextHop, state, since, why, state == Withdrawn && unknown(s.states)}
	d.states[prefix] = after
	if before.State != state || before.Unknown && !after.Unknown {
		d.report(after)
		d.recordTransition(before.State, after)
	}
}

// recordUpdate records an update for routers. The last resort counts as withdrawn: routers prefer other
// replicas at once.
func (d *Driver) recordUpdate(service Service, before, after State, s observations) {
	prefix, hop := service.Offer.Prefix, service.Offer.NextHop
	works, _ := answers(s.states)
	switch {
	case after == Offered:
		d.trail.announce(prefix, hop, false, began(s.states, true), s.now)
	case (before == Offered || before == Draining) && !works:
		d.trail.announce(prefix, hop, true, began(s.states, false), s.now)
	case before == Offered || before == Draining:
		d.trail.announce(prefix, hop, true, time.Time{}, s.now) // the decision was made here
	}
}

// Observe implements agent.Driver.
func (d *Driver) Observe(ctx context.Context) (observed Observed, err error) {
	if !d.desired.On {
		return observed, nil
	}
	observed.On = true
	d.trail.collectArrivals(d.options.Now())
	if observed.Sessions, err = d.options.Engine.Sessions(ctx); err != nil {
		return observed, err
	}
	d.doubts.Check(&d.news, observed.Sessions, d.options.Now())
	for _, service := range d.desired.Services {
		observed.Announcements = append(observed.Announcements, d.states[service.Offer.Prefix])
	}
	return observed, nil
}

// Leave drains all services, and returns whether they are withdrawn. It is used when the process
// stops; later Sets don't undo it.
func (d *Driver) Leave(ctx context.Context) (left bool, err error) {
	if !d.desired.On {
		return true, nil
	}
	if !d.ends {
		d.ends = true
		if d.options.Ends != nil {
			d.options.Ends()
		}
		if _, err := d.advertise(ctx); err != nil {
			return false, err
		}
	}
	if !d.gone() {
		return false, nil
	}
	d.trail.endAll() // one more report follows
	return true, nil
}

func (d *Driver) gone() bool {
	for _, one := range d.states {
		if one.State != Withdrawn {
			return false
		}
	}
	return true
}

// Close implements agent.Driver.
func (d *Driver) Close() error {
	d.timer.Stop()
	d.listener.Close()
	d.monitor.Close()
	return errors.Join(d.options.Engine.Close(), d.trail.close())
}
