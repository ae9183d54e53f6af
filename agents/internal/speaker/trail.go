package speaker

import (
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/health"
)

// Arrivals observes packets that arrive for a prefix.
type Arrivals interface {
	// Watch starts again.
	Watch(prefix netip.Prefix) error
	// Seen returns when the first and last packet since then arrived; the zero time if none did.
	Seen(prefix netip.Prefix) (first, last time.Time)
	Forget(prefix netip.Prefix)
	Close() error
}

// watchFor limits how long the packets of a change are observed: the filter costs all packets a
// little.
const watchFor = 10 * time.Second

// trail records the steps of updates in which a speaker takes part.
type trail struct {
	log      *slog.Logger
	stir     func()
	arrivals Arrivals // nil: arrivals are unknown
	ready    func(prefix netip.Prefix, is bool) time.Time

	updates     bgp.Updates
	up          map[netip.Addr]bool           // peers that receive updates at once
	unannounced map[netip.Prefix][]bgp.Update // because no peer was connected
	fresh       []bgp.Update                  // whose packets aren't observed yet
	watched     map[netip.Prefix]watched
	caused      []bgp.Update // possibly caused by a backend
}

// watched is a change whose packets are observed.
type watched struct {
	update bgp.Update
	until  time.Time
}

func newTrail(options Options, stir func()) *trail {
	return &trail{
		log: options.Log, stir: stir, arrivals: options.Arrivals, ready: options.Ready,
		up: map[netip.Addr]bool{}, unannounced: map[netip.Prefix][]bgp.Update{}, watched: map[netip.Prefix]watched{},
	}
}

// sessions processes connected and lost peers, or a restart of the engine. Updates that no peer
// could receive are announced when one connects.
func (t *trail) sessions(reset bool, transitions []bgp.Transition) {
	if reset {
		clear(t.up)
	}
	for _, one := range transitions {
		if one.State != bgp.Established {
			delete(t.up, one.Peer)
			continue
		}
		t.up[one.Peer] = true
		for prefix, steps := range t.unannounced {
			steps[len(steps)-1].At = one.At
			t.record(steps)
			delete(t.unannounced, prefix)
		}
	}
}

// announce records that peers receive an announcement or withdrawal now. Why is when its cause
// started; the zero time if that is now.
func (t *trail) announce(prefix netip.Prefix, hop netip.Addr, withdrawn bool, why, now time.Time) {
	update := bgp.Update{Prefix: prefix, NextHop: hop, Withdrawn: withdrawn}
	var steps []bgp.Update
	if !why.IsZero() {
		update.Step, update.At = bgp.Caused, why
		steps = append(steps, update)
		t.awaitCause(update)
	}
	update.Step, update.At = bgp.Announced, now
	steps = append(steps, update)
	delete(t.unannounced, prefix)
	switch {
	case len(t.up) > 0:
		t.record(steps)
	case !withdrawn: // a withdrawal without peers has no receiver
		t.unannounced[prefix] = steps
	}
}

func (t *trail) record(steps []bgp.Update) {
	t.updates.Add(steps...)
	if t.arrivals != nil {
		t.fresh = append(t.fresh, steps[len(steps)-1])
	}
}

// A balancer reports once a second, so it is queried for the cause a little later than the probe.
// What has been so for long is not the cause.
const (
	readyAfter = 1500 * time.Millisecond
	readyMost  = 10 * time.Second
)

func (t *trail) awaitCause(caused bgp.Update) {
	if t.ready == nil {
		return
	}
	t.caused = append(t.caused, caused)
	time.AfterFunc(readyAfter, t.stir)
}

// findCauses records when backends became ready or not, which probes have detected since.
func (t *trail) findCauses(now time.Time) {
	t.caused = slices.DeleteFunc(t.caused, func(caused bgp.Update) bool {
		if now.Sub(caused.At) < readyAfter {
			return false
		}
		step := caused
		step.Step, step.At = bgp.Ready, t.ready(caused.Prefix, !caused.Withdrawn)
		if before := caused.At.Sub(step.At); !step.At.IsZero() && before >= 0 && before <= readyMost {
			t.updates.Add(step)
		}
		return true
	})
}

// watch starts to observe the packets of announced updates. It is separate, because it takes longer
// than the announcement.
func (t *trail) watch() {
	for _, update := range t.fresh {
		before, is := t.watched[update.Prefix]
		if is && before.update.Withdrawn && update.Withdrawn {
			continue // it was the last resort before the withdrawal: its last packet may have arrived earlier
		}
		t.end(update.Prefix)
		if err := t.arrivals.Watch(update.Prefix); err != nil {
			t.log.Warn("the arrival of packets can't be observed", "prefix", update.Prefix, "err", err)
			continue
		}
		t.watched[update.Prefix] = watched{update, update.At.Add(watchFor)}
		time.AfterFunc(watchFor, t.stir)
	}
	t.fresh = nil
}

// collectArrivals records first packets, and last ones after which no more are expected.
func (t *trail) collectArrivals(now time.Time) {
	t.findCauses(now)
	for prefix, one := range t.watched {
		first, _ := t.arrivals.Seen(prefix)
		if !now.Before(one.until) || !one.update.Withdrawn && !first.IsZero() {
			t.end(prefix)
		}
	}
}

// reset discards the recorded steps and peers.
func (t *trail) reset() {
	t.endAll()
	clear(t.up)
	clear(t.unannounced)
	t.fresh, t.caused = nil, nil
}

// endAll is called when the process stops.
func (t *trail) endAll() {
	for prefix := range t.watched {
		t.end(prefix)
	}
}

func (t *trail) end(prefix netip.Prefix) {
	one, is := t.watched[prefix]
	if !is {
		return
	}
	step := one.update
	first, last := t.arrivals.Seen(prefix)
	if step.Step, step.At = bgp.Carried, first; step.Withdrawn {
		step.At = last
	}
	if !step.At.IsZero() {
		t.updates.Add(step)
	}
	t.arrivals.Forget(prefix)
	delete(t.watched, prefix)
}

func (t *trail) close() error {
	t.endAll()
	if t.arrivals == nil {
		return nil
	}
	return t.arrivals.Close()
}

// began is when the probe results started that make a service up, or down; the zero time if none
// do.
func began(states []health.State, works bool) (at time.Time) {
	want := health.Down
	if works {
		want = health.Up
	}
	for _, state := range states {
		if state.Health != want {
			continue
		}
		// It is up with the first success, and down with the last failure.
		if at.IsZero() || state.Began.Before(at) == works {
			at = state.Began
		}
	}
	return at
}
