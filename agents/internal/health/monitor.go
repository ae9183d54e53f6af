package health

import (
	"container/heap"
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"
)

const (
	atOnceDefault = 512

	// firstWithin spreads the first checks of backends that are added together. It is
	// short, because until then their health is unknown.
	firstWithin = 100 * time.Millisecond
)

// Options configure a monitor.
type Options struct {
	Probe  func(context.Context, Target) error // checks once; its error is a clause for an event
	AtOnce int                                 // maximum number of concurrent checks; default when 0
	// Changed is called when a backend's health has changed, from a goroutine of the
	// monitor. It must not block.
	Changed func()
}

// NotContacted is the result of a probe that failed without contacting the target. That is
// cheap, so a target that isn't up is checked again after Again, to detect early that it
// works. A target that is up keeps its interval, so that a single failure doesn't take it
// down sooner.
type NotContacted struct {
	Err   error
	Again time.Duration
}

func (n NotContacted) Error() string { return n.Err.Error() }

// Unwrap returns the cause.
func (n NotContacted) Unwrap() error { return n.Err }

// Monitor checks a set of targets at their intervals.
type Monitor struct {
	options Options
	ctx     context.Context
	cancel  context.CancelFunc
	work    sync.WaitGroup
	kick    chan struct{} // holds one item when run should check the queues again

	mu        sync.Mutex
	watched   map[Target]*watch
	answering lane
	silent    lane
}

// lane counts its running checks and queues the waiting ones. Unresponsive targets have a
// lane of their own: their checks take the whole timeout, and if many fail at once, the
// others would be checked late.
type lane struct {
	due     queue
	running int
	most    int
}

// watch is one target, its verdict and the time of its next check.
type watch struct {
	target  Target
	verdict verdict
	next    time.Time
	index   int // in its lane's queue; -1 during a check
	gone    bool
	paths   []*watch // of the same backend and check, if this is of its own address
}

// NewMonitor starts a monitor without targets.
func NewMonitor(options Options) *Monitor {
	if options.AtOnce == 0 {
		options.AtOnce = atOnceDefault
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := &Monitor{
		options: options, ctx: ctx, cancel: cancel, kick: make(chan struct{}, 1), watched: map[Target]*watch{},
		answering: lane{most: options.AtOnce}, silent: lane{most: options.AtOnce - options.AtOnce/4},
	}
	m.work.Go(m.run)
	return m
}

// Set replaces the targets. One that stays keeps its state and its schedule.
func (m *Monitor) Set(targets []Target) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	wanted := make(map[Target]bool, len(targets))
	for _, target := range targets {
		wanted[target] = true
		if m.watched[target] != nil {
			continue
		}
		w := &watch{target: target, verdict: m.begin(target, now), next: now.Add(rand.N(firstWithin))}
		m.watched[target] = w
		heap.Push(&m.laneOf(w).due, w)
	}
	m.drop(wanted)
	m.attach()
	m.look()
}

// begin returns the verdict of a new target. The lock is held.
func (m *Monitor) begin(target Target, now time.Time) verdict {
	v, own := newVerdict(now), target
	own.Path = Path{}
	w := m.watched[own]
	v.isNewPath = target.Path != (Path{}) && w != nil && w.verdict.Health == Up
	return v
}

// drop ends the checks of all other targets. The lock is held.
func (m *Monitor) drop(wanted map[Target]bool) {
	for target, w := range m.watched {
		if wanted[target] {
			continue
		}
		delete(m.watched, target)
		w.gone = true
		if w.index >= 0 {
			heap.Remove(&m.laneOf(w).due, w.index)
		}
	}
}

// attach lists the paths of each target, so that [Monitor.States] needs one look-up. The lock is
// held.
func (m *Monitor) attach() {
	for _, w := range m.watched {
		w.paths = nil
	}
	for target, w := range m.watched {
		if target.Path == (Path{}) {
			continue
		}
		target.Path = Path{}
		if own := m.watched[target]; own != nil {
			own.paths = append(own.paths, w)
		}
	}
}

// State returns the state of a target; Unknown when it isn't watched.
func (m *Monitor) State(target Target) State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.watched[target].state()
}

// States returns the states of a backend's own address, and of a path with the same check.
func (m *Monitor) States(target Target, path Path) (own, there State) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.watched[target]
	if w != nil {
		for _, other := range w.paths {
			if other.target.Path == path {
				return w.state(), other.state()
			}
		}
	}
	return w.state(), (*watch)(nil).state()
}

func (w *watch) state() State {
	if w == nil {
		return State{Health: Unknown}
	}
	state := w.verdict.State
	state.Failing = w.verdict.failures > 0
	return state
}

// Close stops all checks and waits for running ones.
func (m *Monitor) Close() {
	m.cancel()
	m.work.Wait()
}

func (m *Monitor) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(m.startDue())
		select {
		case <-m.ctx.Done():
			return
		case <-m.kick:
		case <-timer.C:
		}
	}
}

// laneOf returns the lane by the last result. The lock is held.
func (m *Monitor) laneOf(w *watch) *lane {
	if w.verdict.failures > 0 {
		return &m.silent
	}
	return &m.answering
}

// startDue starts due checks as far as slots are free, and returns the time until the
// next one.
func (m *Monitor) startDue() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return min(m.startDueOf(&m.answering), m.startDueOf(&m.silent))
}

func (m *Monitor) startDueOf(l *lane) time.Duration {
	for len(l.due) > 0 && l.running < l.most && m.answering.running+m.silent.running < m.options.AtOnce {
		wait := time.Until(l.due[0].next)
		if wait > 0 {
			return wait
		}
		w := heap.Pop(&l.due).(*watch)
		l.running++
		m.work.Go(func() { m.checkOne(w) })
	}
	return time.Hour // a finished check or a new target kicks earlier
}

func (m *Monitor) checkOne(w *watch) {
	ctx, cancel := context.WithTimeout(m.ctx, w.target.Check.Timeout)
	answer := m.options.Probe(ctx, w.target)
	cancel()
	if m.judged(w, answer) && m.options.Changed != nil {
		m.options.Changed()
	}
}

// judged records the result and schedules the next check.
func (m *Monitor) judged(w *watch, answer error) (changed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.laneOf(w).running--
	defer m.look()
	if w.gone || m.ctx.Err() != nil {
		return false
	}
	now := time.Now()
	changed = w.verdict.take(answer, w.target.Check, now)
	w.next = now.Add(jittered(pauseAfter(w, answer)))
	heap.Push(&m.laneOf(w).due, w)
	return changed
}

func pauseAfter(w *watch, answer error) time.Duration {
	var failure NotContacted
	if w.verdict.Health != Up && errors.As(answer, &failure) {
		return min(failure.Again, w.target.Check.Interval)
	}
	return w.target.Check.Interval
}

func (m *Monitor) look() {
	select {
	case m.kick <- struct{}{}:
	default:
	}
}

// jittered varies by up to a tenth, so that replicas that started together don't keep
// checking together.
func jittered(interval time.Duration) time.Duration {
	return interval - interval/10 + rand.N(interval/5+1)
}
