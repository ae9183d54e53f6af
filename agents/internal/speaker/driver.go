package speaker

import (
	"context"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/health"
	"fairlead.dev/agents/internal/bgp"
)

// Options are what the role needs of its host.
type Options struct {
	Engine bgp.Engine
	Probe  func(context.Context, health.Target) error // through the replica's own data path
	Live   func(netip.Prefix) (connections int, known bool)
	Now    func() time.Time
}

// Observed is what a speaker does.
type Observed struct {
	Sessions      []bgp.Session
	Told          []bgp.Transition // since it was last observed
	Announcements []Announcement   // sorted by prefix
}

// Announcement is how a service stands with routers.
type Announcement struct {
	Prefix netip.Prefix
	Stand  Stand
	Since  time.Time
	Why    string // not better; empty when it is offered
}

// Driver speaks for a replica. All but Wake belongs to the agent's loop.
type Driver struct {
	options Options
	wake    chan struct{}
	stop    chan struct{}
	timer   *time.Timer
	monitor *health.Monitor

	desired Desired
	stands  map[netip.Prefix]Announcement
	leaving map[netip.Prefix]time.Time // since when
	told    []bgp.Transition
}

// toldMost transitions are kept for the next report, the newest.
const toldMost = 1024

// lookAgain is how often connections of a service that leaves are counted.
const lookAgain = 200 * time.Millisecond

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{
		options: options, wake: make(chan struct{}, 1), stop: make(chan struct{}),
		stands: map[netip.Prefix]Announcement{}, leaving: map[netip.Prefix]time.Time{},
	}
	d.monitor = health.NewMonitor(health.Options{Probe: options.Probe, Changed: d.stir})
	d.timer = time.AfterFunc(time.Hour, d.stir)
	d.timer.Stop()
	go d.listen()
	return d
}

// listen ends with the driver.
func (d *Driver) listen() {
	for {
		select {
		case <-d.options.Engine.Changed():
			d.stir()
		case <-d.stop:
			return
		}
	}
}

// stir makes the loop call Woken soon.
func (d *Driver) stir() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Wake is readable when Woken should be called.
func (d *Driver) Wake() <-chan struct{} { return d.wake }

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
	d.monitor.Set(desired.targets())
	for prefix := range d.stands {
		if _, named := desired.service(prefix); !named {
			delete(d.stands, prefix)
			delete(d.leaving, prefix)
		}
	}
	return d.speak(ctx)
}

func (d *Driver) off() (changes int, err error) {
	if !d.desired.On {
		return 0, nil
	}
	d.monitor.Set(nil)
	d.desired, d.told = Desired{}, nil
	clear(d.stands)
	clear(d.leaving)
	return 1, d.options.Engine.Close()
}

// Woken offers what works by now.
func (d *Driver) Woken(ctx context.Context) (news bool, err error) {
	if !d.desired.On {
		return false, nil
	}
	changes := d.options.Engine.Take()
	d.told = append(d.told, changes.Sessions...)
	d.told = d.told[max(0, len(d.told)-toldMost):]
	n, err := d.speak(ctx)
	return n > 0 || len(changes.Sessions) > 0, err
}

// speak tells the engine how every service stands now.
func (d *Driver) speak(ctx context.Context) (changes int, err error) {
	now := d.options.Now()
	whole, drains := d.desired.BGP, false
	whole.Offers = nil
	for _, service := range d.desired.Services {
		stand, why := decide(d.look(service, now), d.desired.DrainFor)
		d.note(service.Offer.Prefix, stand, why, now)
		if offer, is := offerOf(service, stand); is {
			whole.Offers = append(whole.Offers, offer)
		}
		drains = drains || stand == Draining
	}
	if drains {
		d.timer.Reset(lookAgain)
	}
	return d.options.Engine.Set(ctx, whole)
}

func (d *Driver) look(service Service, now time.Time) seen {
	prefix, s := service.Offer.Prefix, seen{now: now}
	for _, probe := range service.Probes {
		s.states = append(s.states, d.monitor.State(probe))
	}
	if !service.Leaving && !d.desired.Leaving {
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
func (d *Driver) note(prefix netip.Prefix, stand Stand, why string, now time.Time) {
	before, had := d.stands[prefix]
	since := before.Since
	if !had || before.Stand != stand {
		since = now
	}
	d.stands[prefix] = Announcement{prefix, stand, since, why}
}

// Observe implements agent.Driver.
func (d *Driver) Observe(ctx context.Context) (observed Observed, err error) {
	if !d.desired.On {
		return observed, nil
	}
	if observed.Sessions, err = d.options.Engine.Sessions(ctx); err != nil {
		return observed, err
	}
	observed.Told, d.told = d.told, nil
	for _, service := range d.desired.Services {
		observed.Announcements = append(observed.Announcements, d.stands[service.Offer.Prefix])
	}
	return observed, nil
}

// Leave drains everything, and returns when it is withdrawn or ctx has ended: what a
// process does that is asked to stop.
func (d *Driver) Leave(ctx context.Context) error {
	if !d.desired.On {
		return nil
	}
	d.desired.Leaving = true
	for {
		if _, err := d.speak(ctx); err != nil {
			return err
		}
		if d.gone() {
			return nil
		}
		select {
		case <-d.wake:
		case <-ctx.Done():
			return nil // the engine withdraws what is left when it closes
		}
	}
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
	close(d.stop)
	d.monitor.Close()
	return d.options.Engine.Close()
}
