package balancer

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/clients"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/netwatch"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/flows"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/session/names"
)

// Options configure the role.
type Options struct {
	Candidates   []datapath.Candidate // best first
	Engine       datapath.Options
	AdaptivePins string // folder of what this node's agent of the role adaptive has in the kernel
	StateFolder  string // records which engine runs, so that another one can remove its state
	Flows        flows.Options
	Log          *slog.Logger
	Probe        func(context.Context, health.Target) error
	ProbeNames   func(context.Context, netip.AddrPort, string) []names.Finding // of servers' ticket keys; nil: over the network
	Linger       time.Duration                                                 // how long a service is still carried after it is removed from the config

	// ProbeWarning returns why probes don't test everything, as a sentence, or "". It may be nil.
	ProbeWarning func() string

	// Watch reports changes of the network, as [netwatch.Start] does. Without it, they wait
	// for the next Set.
	Watch func(interfaceName string, changed func(netwatch.Change)) (netwatch.Watch, error)
}

// Driver carries services. All methods but Wake belong to the agent's loop.
type Driver struct {
	options     Options
	wake, stale chan struct{}
	monitor     *health.Monitor
	learner     *learner
	sampler     *clients.Sampler
	healthStale atomic.Bool    // health has changed since the loop applied it
	pathsStale  atomic.Bool    // the network has to be read again at once
	routesStale atomic.Bool    // the same, once it's time: see readsNetwork
	ofRoutes    atomic.Bool    // a change of routes may cure a failure of the last Set
	routesNext  time.Time      // when changes of routes may cause the next Set
	watch       netwatch.Watch // nil while the role is off
	blind       bool           // the watch could not be started, which was reported
	news        events.Events
	ready       atomic.Pointer[readiness]
	figures     figures

	question atomic.Pointer[question] // nil until a speaker sends a request
	ends     time.Time                // when the stop of the process was requested; zero until then

	desired    Desired
	started    bool      // a first config was applied or rejected
	behind     bool      // the link may have a newer config
	began      time.Time // when the first config was carried, while behind
	running    *running
	proxy      *proxy // carries services that fall back to a proxy
	handoffs   *handoffs
	refused    string // event text of the config that is rejected; empty while none is
	failure    string // why the data path is not as desired; empty when it is
	again      again
	lost       string // error of a change between two Sets that the engine could not apply
	notReached string // why the proxy can't be reached as a backend, which was reported
	notPlaced  string // why the program that places by session could not be set, which was reported
	leaving    []leaving
	departing  []departing
	parting    []parting
	reported   map[backendKey]health.Health
	failing    map[backendKey]failing
	attempts   map[string]attempt // by candidate
	previous   []datapath.Service // those carried as before, as they were set then

	previousFile, fallbacksFile stored
	fallbacks                   []storedFallback // as last stored
}

// running is the engine that carries packets now.
type running struct {
	choice    datapath.Choice
	requested string // the config's engine: [EngineAuto] or a name
	engine    datapath.Engine
	services  []datapath.Service // as last set, including those that leave
	failures  []datapath.Failure // of what could not be set then
	partly    bool               // no engine carries all services, so it was chosen for some
	placing   *placing           // by TLS session
	handover  *handover          // nil when it can't hand flows over
	idsWaits  map[datapath.Key]*idsWait
	begun     atomic.Bool // it was ready once: missing flows make it unready no more
}

type backendKey struct {
	service datapath.Key
	id      string
}

var _ agent.Driver[Desired, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(options Options) *Driver {
	d := &Driver{options: options, wake: make(chan struct{}, 1), stale: make(chan struct{}, 1), reported: map[backendKey]health.Health{}, failing: map[backendKey]failing{}, attempts: map[string]attempt{}}
	d.news.Log = options.Log
	d.previousFile.name, d.fallbacksFile.name = previousFile, fallbacksFile
	d.proxy, d.handoffs = d.newProxy(), newHandoffs()
	d.monitor = health.NewMonitor(health.Options{Probe: options.Probe, Changed: func() { d.healthStale.Store(true); d.stir() }})
	d.learner = &learner{probe: options.ProbeNames, wake: d.stir, seen: map[datapath.Key]map[names.Name]time.Time{}, unmanaged: map[backendKey]*unmanaged{}}
	if d.learner.probe == nil {
		d.learner.probe = names.Prober{}.Probe
	}
	d.sampler = clients.NewSampler(func() (clients.Tap, error) { return clients.Open(options.Engine.Interface) })
	d.ready.Store(&readiness{sentence: "No config has come yet."})
	return d
}

// stir makes the loop call Woken soon.
func (d *Driver) stir() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Set carries exactly what is desired, by the engine that suits it best. Changes of
// backend health alone don't count as changes.
func (d *Driver) Set(ctx context.Context, desired Desired) (int, error) {
	isFirst := !d.started
	changes, err := d.set(ctx, desired)
	if isFirst && err == nil {
		d.clearFormer(desired)
	}
	d.applyAgain(desired.Revision, err)
	d.failure = ""
	if err != nil {
		d.failure = err.Error()
		d.refuse(desired.Revision, err)
	} else {
		d.refused = ""
	}
	d.publishReadiness()
	return changes, err
}

func (d *Driver) set(ctx context.Context, desired Desired) (int, error) {
	if !desired.On {
		return d.off(desired)
	}
	d.watchPaths()
	desired = d.withFormer(desired)
	if !desired.samples() { // at once, even if the engine refuses the rest
		d.sampler.Set(nil)
	}
	// Keep the checks of the current config until the engine has accepted the new one.
	d.monitor.Set(append(d.targets(desired), d.targets(d.desired)...))
	same := d.running != nil && d.desired.Equal(desired)
	switched, err := d.suit(ctx, desired)
	if err != nil {
		return 0, err
	}
	changes, list := switched, []leaving(nil)
	if switched == 0 {
		list = d.leave(desired, time.Now())
		if changes, err = d.repeat(ctx, desired, list, same); err != nil {
			return 0, err
		}
	}
	d.lingers(list)
	d.setPeers(desired, time.Now())
	former := d.desired
	d.desired, d.started = desired, true
	if d.behind && d.began.IsZero() {
		d.began = time.Now()
	}
	d.monitor.Set(d.targets(desired))
	d.learnNames()
	d.sampleClients()
	d.forgetGone()
	d.reportRejected(former.Rejected, time.Now())
	d.noteFailures(time.Now())
	if h := d.running.handover; h != nil && changes > 0 {
		if err := h.learnAgain(); err != nil {
			d.complain(err)
		}
	}
	return changes, nil
}

// repeat applies the spec to the running engine. If the spec is unchanged, only repaired
// damage counts as a change: not health, nor another try of what had failed.
func (d *Driver) repeat(ctx context.Context, desired Desired, list []leaving, same bool) (int, error) {
	services, failures := d.plan(desired)
	before, failed := d.running.services, d.running.failures
	changes, err := d.setEngine(ctx, services, failures, list)
	if err != nil || same && (!equalServiceLists(before, d.running.services) || !slices.Equal(failed, d.running.failures)) {
		return 0, err
	}
	return changes, nil
}

// Woken applies what arrived since: health, and flows of other replicas.
func (d *Driver) Woken(ctx context.Context) (news bool, err error) {
	if d.running == nil {
		return false, nil
	}
	defer d.publishReadiness()
	before := d.news.Waiting()
	err = d.running.handover.serve(ctx)
	repeat, onlyRoutes := d.readsNetwork(time.Now())
	if d.healthStale.Swap(false) || repeat || d.lost != "" { // flows arrive often, and checking each backend isn't free
		d.reportHealth(time.Now())
		began := time.Now()
		failed := d.carry(ctx, repeat)
		if failed != nil {
			d.applyAgain(d.desired.Revision, failed)
		}
		switch {
		case repeat && failed != nil:
			d.pathsStale.Store(true) // at the next wake
		case onlyRoutes:
			d.spaceRepeats(began, time.Now())
		}
		err = errors.Join(err, failed)
	}
	err = errors.Join(err, d.applyNames(time.Now()))
	if err != nil {
		d.complain(err)
	} else {
		d.lost = ""
	}
	ended := d.noteIDs(time.Now())
	return d.news.Waiting() > before || ended, err
}

// carry updates the engine if backend health has changed, or if it has to read the network
// again.
func (d *Driver) carry(ctx context.Context, repeat bool) error {
	services, failures := d.plan(d.desired)
	if len(d.departing)+len(d.parting) > 0 {
		d.setPeers(d.desired, time.Now())
	}
	list := d.leave(d.desired, time.Now())
	if !repeat && d.running.placing.isCarried() && len(list) == len(d.leaving) && equalServiceLists(services, d.wanted()) {
		return nil
	}
	d.leaving = list
	_, err := d.setEngine(ctx, services, failures, list)
	d.monitor.Set(d.targets(d.desired)) // the path to a backend may have changed
	d.learnNames()                      // a problem of placing may have ended
	d.noteFailures(time.Now())
	return err
}

// Close releases the engine; traffic continues where the kernel carries it.
func (d *Driver) Close() error {
	d.monitor.Close()
	d.sampler.Close()
	d.learner.close()
	d.unwatch()
	if d.again.timer != nil {
		d.again.timer.Stop()
	}
	if d.running == nil {
		return nil
	}
	d.running.handover.close()
	return errors.Join(d.running.placing.end(), d.running.engine.Close(), d.proxy.close(), d.handoffs.close())
}

// off removes the data path. A role that is switched on again starts from nothing.
func (d *Driver) off(desired Desired) (int, error) {
	d.desired, d.started = desired, false
	d.leaving, d.departing, d.parting = nil, nil, nil
	d.monitor.Set(nil)
	d.sampler.Set(nil)
	d.learner.close()
	clear(d.reported)
	clear(d.failing)
	d.notePrevious("", nil, nil)
	d.storeFallbacks(nil)
	d.ofRoutes.Store(false)
	d.unwatch()
	if d.running == nil {
		return 0, errors.Join(d.clearUpAfterFormers(""), d.handoffs.remove())
	}
	return 1, errors.Join(d.proxy.remove(), d.retire(), d.handoffs.remove())
}

func equalServiceLists(a, b []datapath.Service) bool {
	return slices.EqualFunc(a, b, func(a, b datapath.Service) bool { return a.Equal(&b) })
}
