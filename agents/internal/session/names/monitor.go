package names

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"time"
)

const (
	atOnceDefault   = 8
	intervalDefault = 5 * time.Minute
	lifetimeDefault = 24 * time.Hour

	// retryLeast is the pause after a failed probe. It doubles with each failure, up to the interval.
	// The same holds while tickets begin with another name than expected.
	retryLeast = 5 * time.Second
	// firstWithin spreads the first probes of servers that are added together.
	firstWithin = time.Second
)

// Server is one whose names are learned. Servers that use different keys for different server
// names are probed with each of them.
type Server struct {
	ID          string
	Group       string        // of servers that clients can reach at the same place: only among them names must differ
	Lifetime    time.Duration // of its tickets; that of the monitor when 0
	Address     netip.AddrPort
	ServerNames []string // none: without a server name

	// Expected is the name with which tickets should begin. Until they do, the server is probed more often. The
	// zero value is any name.
	Expected Name
}

// Options configure a monitor.
type Options struct {
	Probe    func(ctx context.Context, address netip.AddrPort, serverName string) []Finding
	Interval time.Duration // between probes of a server; default when 0
	// Lifetime is how long clients may use a ticket: a name is valid for that long after it was last seen.
	// At least twice the interval; default when 0.
	Lifetime time.Duration
	AtOnce   int // maximum number of concurrent probes; default when 0
	// Event is called from a goroutine of the monitor. It must neither block nor call the monitor.
	Event func(Event)
	// Probed is the same after each probe: names may have changed. It may be nil.
	Probed func()
}

// Monitor learns the names of a set of servers at an interval.
type Monitor struct {
	options Options
	ctx     context.Context
	cancel  context.CancelFunc
	work    sync.WaitGroup
	due     chan struct{} // holds one item when probes may be due

	mu      sync.Mutex
	watched map[target]*watch
	running int
	shared  map[named]bool // reported already
}

// target is one server under one server name.
type target struct {
	group, id  string
	address    netip.AddrPort
	serverName string
}

type watch struct {
	lifetime time.Duration
	record   Record
	next     time.Time
	running  bool
	again    bool // requested during a probe
	expected Name
	awaited  int // probes without that name
}

// NewMonitor starts a monitor without servers.
func NewMonitor(options Options) *Monitor {
	if options.AtOnce == 0 {
		options.AtOnce = atOnceDefault
	}
	if options.Interval == 0 {
		options.Interval = intervalDefault
	}
	if options.Lifetime == 0 {
		options.Lifetime = lifetimeDefault
	}
	options.Lifetime = max(options.Lifetime, 2*options.Interval)
	ctx, cancel := context.WithCancel(context.Background())
	m := &Monitor{options: options, ctx: ctx, cancel: cancel, due: make(chan struct{}, 1), watched: map[target]*watch{}, shared: map[named]bool{}}
	m.work.Go(m.run)
	return m
}

// Set replaces the servers. One that stays keeps its names and its schedule.
func (m *Monitor) Set(servers []Server) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	watched := make(map[target]*watch, len(servers))
	for _, server := range servers {
		serverNames := server.ServerNames
		if len(serverNames) == 0 {
			serverNames = []string{""}
		}
		for _, name := range serverNames {
			key := targetOf(server, name)
			if watched[key] = m.watched[key]; watched[key] == nil {
				watched[key] = &watch{next: now.Add(rand.N(firstWithin)), expected: server.Expected}
			}
			watched[key].expect(server.Expected, now)
			watched[key].lifetime = max(cmp.Or(server.Lifetime, m.options.Lifetime), 2*m.options.Interval)
		}
	}
	m.watched = watched
	groups := map[string]bool{}
	for key := range watched {
		groups[key.group] = true
	}
	maps.DeleteFunc(m.shared, func(at named, _ bool) bool { return !groups[at.group] })
	m.notify()
}

// expect sets the expected name. If it is another one, the server is probed soon.
func (w *watch) expect(name Name, now time.Time) {
	if w.expected == name {
		return
	}
	w.expected, w.awaited = name, 0
	if w.again = w.running; !w.running {
		w.next = now.Add(rand.N(firstWithin))
	}
}

func (w *watch) countAwaited() {
	if w.awaited++; w.expected == (Name{}) || slices.Contains(w.record.Current(), w.expected) {
		w.awaited = 0
	}
}

// Again probes a server without delay, for example because it was restarted.
func (m *Monitor) Again(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key, w := range m.watched {
		if key.id == id {
			w.next, w.again = time.Now(), w.running
		}
	}
	m.notify()
}

// Close stops all probes and waits for running ones.
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
		case <-m.due:
		case <-timer.C:
		}
	}
}

// startDue starts due probes as far as slots are free, and returns the time until the next one.
func (m *Monitor) startDue() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	wait, now := time.Hour, time.Now() // a finished probe or a new server notifies earlier
	for key, w := range m.watched {
		switch {
		case w.running:
		case w.next.After(now):
			wait = min(wait, w.next.Sub(now))
		case m.running < m.options.AtOnce:
			m.running++
			w.running = true
			m.work.Go(func() { m.probe(key, w) })
		}
	}
	return wait
}

func (m *Monitor) probe(key target, w *watch) {
	findings := m.options.Probe(m.ctx, key.address, key.serverName)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.running--
	w.running = false
	defer m.notify()
	if m.ctx.Err() != nil || m.watched[key] != w {
		return
	}
	now := time.Now()
	event := w.record.take(findings, now, w.lifetime)
	w.countAwaited()
	w.next = now.Add(m.pause(w))
	w.again = false
	if event.Message != "" {
		event.Group, event.Server, event.ServerName = key.group, key.id, key.serverName
		m.report(event)
	}
	m.reportShared(key.group, now)
	if m.options.Probed != nil {
		m.options.Probed()
	}
}

// pause is the time until the next probe. Probes vary by up to a tenth, so that replicas that
// started together don't keep probing together.
func (m *Monitor) pause(w *watch) time.Duration {
	if w.again {
		return 0
	}
	pause := m.options.Interval
	if missed := max(w.record.failures, w.awaited); missed > 0 {
		pause = min(pause, retryLeast<<min(missed-1, 20))
	}
	return pause - pause/10 + rand.N(pause/5+1)
}

func (m *Monitor) report(event Event) {
	if m.options.Event != nil {
		m.options.Event(event)
	}
}

func targetOf(server Server, serverName string) target {
	return target{server.Group, server.ID, server.Address, serverName}
}

// Record returns what is known about a server under a server name.
func (m *Monitor) Record(server Server, serverName string) Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	w := m.watched[targetOf(server, serverName)]
	if w == nil {
		return Record{}
	}
	record := w.record
	record.Known = slices.Clone(record.Known)
	return record
}

// notify lets run start the probes that are due.
func (m *Monitor) notify() {
	select {
	case m.due <- struct{}{}:
	default:
	}
}
