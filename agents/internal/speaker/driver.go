package speaker

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/health"
	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/bgp/unheard"
	"fairlead.dev/agents/internal/events"
)

// Options are what the role needs of its host.
type Options struct {
	Engine  bgp.Engine
	Probe   func(context.Context, health.Target) error         // through the replica's own data path
	Connect func(context.Context, health.Target) error         // from this host, for what a process answers
	Live    func(netip.Prefix) (connections int, at time.Time) // as they were counted last, by this process' clock; the zero time if never
	Ready   func(prefix netip.Prefix, is bool) time.Time       // since when a backend of it is up, or all are down; the zero time if that isn't so, or unknown; may be nil
	Now     func() time.Time
	Log     *slog.Logger
	Ends    func() // is called once, when the process is asked to end; may be nil

	Arrivals Arrivals // nil where they can't be noticed
}

// Observed is what a speaker does.
type Observed struct {
	On            bool
	Sessions      []bgp.Session
	Announcements []Announcement // sorted by prefix
}

// Announcement is how a service stands with routers.
type Announcement struct {
	LoadBalancer string
	Prefix       netip.Prefix
	NextHop      netip.Addr
	Stand        Stand
	Since        time.Time
	Why          string // not better; empty when it is offered
	Unknown      bool   // it isn't offered, for no probe was answered yet
}

// Driver speaks for a replica. All but Wake belongs to the agent's loop.
type Driver struct {
	options  Options
	listener *bgp.Listener
	timer    *time.Timer
	monitor  *health.Monitor

	plain atomic.Pointer[map[health.Target]bool] // targets that a process answers

	desired Desired
	stands  map[netip.Prefix]Announcement
	leaving map[netip.Prefix]time.Time // since when
	ends    bool                       // the process was asked to
	news    events.Events
	trail   *trail
	history message.History
	doubts  message.Doubts
}

// lookAgain is how often connections of a service that leaves are counted.
const lookAgain = 200 * time.Millisecond

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{
		options: options, listener: bgp.Listen(options.Engine), news: events.Events{Log: options.Log},
		doubts: message.Doubts{Dropped: unheard.Read},
		stands: map[netip.Prefix]Announcement{}, leaving: map[netip.Prefix]time.Time{},
	}
	d.monitor = health.NewMonitor(health.Options{Probe: d.probe, Changed: d.listener.Stir})
	d.timer = time.AfterFunc(time.Hour, d.listener.Stir)
	d.timer.Stop()
	d.trail = newTrail(options, d.listener.Stir)
	return d
}

// Wake is readable when Woken should be called.
func (d *Driver) Wake() <-chan struct{} { return d.listener.Wake() }

// Set speaks for what desired names. A service that it names no more is withdrawn at once:
// one that should drain is named as leaving first.
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
	for prefix, one := range d.stands {
		if _, named := desired.service(prefix); !named {
			d.letGo(one)
			if one.Stand != Withdrawn {
				d.trail.turns(prefix, one.NextHop, true, time.Time{}, d.options.Now())
			}
			delete(d.stands, prefix)
			delete(d.leaving, prefix)
		}
	}
	return d.speak(ctx)
}

// probe is called by the monitor's own goroutines.
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
	for _, one := range d.stands {
		d.letGo(one)
	}
	clear(d.stands)
	clear(d.leaving)
	d.trail.off()
	return 1, d.options.Engine.Close()
}

// Woken offers what works by now.
func (d *Driver) Woken(ctx context.Context) (news bool, err error) {
	if !d.desired.On {
		return false, nil
	}
	changes := d.options.Engine.Take()
	message.Say(&d.news, changes)
	d.history.Sessions(changes.Sessions)
	d.trail.sessions(changes.Anew, changes.Sessions)
	n, err := d.speak(ctx)
	d.trail.look(d.options.Now())
	return n > 0 || len(changes.Sessions) > 0 || d.trail.updates.Waiting() > 0, err
}

// speak tells the engine how every service stands now.
func (d *Driver) speak(ctx context.Context) (changes int, err error) {
	now := d.options.Now()
	whole, drains := d.desired.BGP, false
	whole.Offers = nil
	for _, service := range d.desired.Services {
		seen := d.look(service, now)
		stand, why := decide(seen, d.desired.DrainFor)
		d.note(service, stand, why, seen)
		if offer, is := offerOf(service, stand); is {
			whole.Offers = append(whole.Offers, offer)
		}
		drains = drains || stand == Draining
	}
	if drains {
		d.timer.Reset(lookAgain)
	}
	changes, err = d.options.Engine.Set(ctx, whole)
	d.trail.watch()
	return changes, err
}

func (d *Driver) look(service Service, now time.Time) seen {
	prefix, s := service.Offer.Prefix, seen{now: now}
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

// note remembers since when a service stands as it does.
func (d *Driver) note(service Service, stand Stand, why string, s seen) {
	prefix, now := service.Offer.Prefix, s.now
	before, had := d.stands[prefix]
	since := before.Since
	if !had || before.Stand != stand {
		since = now
		d.turned(service, before.Stand, stand, s)
	}
	after := Announcement{service.LoadBalancer, prefix, service.Offer.NextHop, stand, since, why, stand == Withdrawn && unknown(s.states)}
	d.stands[prefix] = after
	if before.Stand != stand || before.Unknown && !after.Unknown {
		d.say(after)
		d.remember(before.Stand, after)
	}
}

// turned notes what is an update for routers. The last resort counts as gone: others are
// preferred at once.
func (d *Driver) turned(service Service, before, after Stand, s seen) {
	prefix, hop := service.Offer.Prefix, service.Offer.NextHop
	works, _ := answers(s.states)
	switch {
	case after == Offered:
		d.trail.turns(prefix, hop, false, began(s.states, true), s.now)
	case (before == Offered || before == Draining) && !works:
		d.trail.turns(prefix, hop, true, began(s.states, false), s.now)
	case before == Offered || before == Draining:
		d.trail.turns(prefix, hop, true, time.Time{}, s.now) // it was decided here
	}
}

// Observe implements agent.Driver.
func (d *Driver) Observe(ctx context.Context) (observed Observed, err error) {
	if !d.desired.On {
		return observed, nil
	}
	observed.On = true
	d.trail.look(d.options.Now())
	if observed.Sessions, err = d.options.Engine.Sessions(ctx); err != nil {
		return observed, err
	}
	d.doubts.Look(&d.news, observed.Sessions, d.options.Now())
	for _, service := range d.desired.Services {
		observed.Announcements = append(observed.Announcements, d.stands[service.Offer.Prefix])
	}
	return observed, nil
}

// Leave drains everything, and says whether it is withdrawn: what a process does that is
// asked to stop. Nothing that is desired from then on takes that back.
func (d *Driver) Leave(ctx context.Context) (left bool, err error) {
	if !d.desired.On {
		return true, nil
	}
	if !d.ends {
		d.ends = true
		if d.options.Ends != nil {
			d.options.Ends()
		}
		if _, err := d.speak(ctx); err != nil {
			return false, err
		}
	}
	if !d.gone() {
		return false, nil
	}
	d.trail.endAll() // there is one more report
	return true, nil
}

func (d *Driver) gone() bool {
	for _, one := range d.stands {
		if one.Stand != Withdrawn {
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
