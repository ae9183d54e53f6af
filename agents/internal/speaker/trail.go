package speaker

import (
	"log/slog"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/health"
	"fairlead.dev/agents/internal/bgp"
)

// Arrivals notices packets that come in for a prefix.
type Arrivals interface {
	// Watch begins anew.
	Watch(prefix netip.Prefix) error
	// Seen is when the first and the last came since then; the zero time if none did.
	Seen(prefix netip.Prefix) (first, last time.Time)
	Forget(prefix netip.Prefix)
	Close() error
}

// watchFor is how long the packets of a change are looked for: a filter costs them all a little.
const watchFor = 10 * time.Second

// trail notes the steps of updates that a speaker takes part in.
type trail struct {
	log      *slog.Logger
	stir     func()
	arrivals Arrivals // nil: what comes in is unknown
	ready    func(prefix netip.Prefix, is bool) time.Time

	updates bgp.Updates
	up      map[netip.Addr]bool           // peers that are told at once
	untold  map[netip.Prefix][]bgp.Update // because nobody was there
	fresh   []bgp.Update                  // whose packets aren't looked for yet
	watched map[netip.Prefix]watched
	caused  []bgp.Update // which a backend may have caused
}

// watched is a change whose packets are looked for.
type watched struct {
	update bgp.Update
	until  time.Time
}

func newTrail(options Options, stir func()) *trail {
	return &trail{
		log: options.Log, stir: stir, arrivals: options.Arrivals, ready: options.Ready,
		up: map[netip.Addr]bool{}, untold: map[netip.Prefix][]bgp.Update{}, watched: map[netip.Prefix]watched{},
	}
}

// sessions takes in who came and went, of none when all begins anew: what nobody could be
// told is told now.
func (t *trail) sessions(anew bool, transitions []bgp.Transition) {
	if anew {
		clear(t.up)
	}
	for _, one := range transitions {
		if one.State != bgp.Established {
			delete(t.up, one.Peer)
			continue
		}
		t.up[one.Peer] = true
		for prefix, steps := range t.untold {
			steps[len(steps)-1].At = one.At
			t.told(steps)
			delete(t.untold, prefix)
		}
	}
}

// turns notes that peers are told now of a prefix that comes, or goes. Why is when what
// made it so began; the zero time if that is now.
func (t *trail) turns(prefix netip.Prefix, hop netip.Addr, withdrawn bool, why, now time.Time) {
	update := bgp.Update{Prefix: prefix, NextHop: hop, Withdrawn: withdrawn}
	var steps []bgp.Update
	if !why.IsZero() {
		update.Step, update.At = bgp.Caused, why
		steps = append(steps, update)
		t.owes(update)
	}
	update.Step, update.At = bgp.Announced, now
	steps = append(steps, update)
	delete(t.untold, prefix)
	switch {
	case len(t.up) > 0:
		t.told(steps)
	case !withdrawn: // of what went while nobody was there, nobody hears
		t.untold[prefix] = steps
	}
}

func (t *trail) told(steps []bgp.Update) {
	t.updates.Note(steps...)
	if t.arrivals != nil {
		t.fresh = append(t.fresh, steps[len(steps)-1])
	}
}

// A balancer reports once a second, so it is asked a little later what made a probe find
// what it found; and what it says was so for long before that is no cause.
const (
	readyAfter = 1500 * time.Millisecond
	readyMost  = 10 * time.Second
)

func (t *trail) owes(caused bgp.Update) {
	if t.ready == nil {
		return
	}
	t.caused = append(t.caused, caused)
	time.AfterFunc(readyAfter, t.stir)
}

// lookBack notes when backends became ready, or ceased to be, of what probes found since.
func (t *trail) lookBack(now time.Time) {
	t.caused = slices.DeleteFunc(t.caused, func(caused bgp.Update) bool {
		if now.Sub(caused.At) < readyAfter {
			return false
		}
		step := caused
		step.Step, step.At = bgp.Ready, t.ready(caused.Prefix, !caused.Withdrawn)
		if before := caused.At.Sub(step.At); !step.At.IsZero() && before >= 0 && before <= readyMost {
			t.updates.Note(step)
		}
		return true
	})
}

// watch looks for the packets of what was told, which takes longer than telling it.
func (t *trail) watch() {
	for _, update := range t.fresh {
		before, is := t.watched[update.Prefix]
		if is && before.update.Withdrawn && update.Withdrawn {
			continue // it was the last resort, and now goes: its last packet may have come before
		}
		t.end(update.Prefix)
		if err := t.arrivals.Watch(update.Prefix); err != nil {
			t.log.Warn("when packets come in stays unknown", "prefix", update.Prefix, "err", err)
			continue
		}
		t.watched[update.Prefix] = watched{update, update.At.Add(watchFor)}
		time.AfterFunc(watchFor, t.stir)
	}
	t.fresh = nil
}

// look notes first packets that came, and the last ones of which no more can be expected.
func (t *trail) look(now time.Time) {
	t.lookBack(now)
	for prefix, one := range t.watched {
		first, _ := t.arrivals.Seen(prefix)
		if !now.Before(one.until) || !one.update.Withdrawn && !first.IsZero() {
			t.end(prefix)
		}
	}
}

// off forgets what there was to tell, and to whom.
func (t *trail) off() {
	t.endAll()
	clear(t.up)
	clear(t.untold)
	t.fresh, t.caused = nil, nil
}

// endAll is for a process that ends.
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
		t.updates.Note(step)
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

// began is when the answers began that make a service work, or fail; the zero time if none do.
func began(states []health.State, works bool) (at time.Time) {
	want := health.Down
	if works {
		want = health.Up
	}
	for _, state := range states {
		if state.Health != want {
			continue
		}
		// It works with the first that answers, and fails with the last that doesn't.
		if at.IsZero() || state.Began.Before(at) == works {
			at = state.Began
		}
	}
	return at
}
