package balancer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
)

// fakeEngine is a data path whose kernel is a variable.
type fakeEngine struct {
	mu        sync.Mutex
	services  []datapath.Service
	counts    map[datapath.Key]datapath.ServiceCounts
	failing   error
	failures  []datapath.Failure // of services that it gets
	rejects   string             // a scheduler; "": none
	room      int                // maximum number of services; 0: unlimited
	sets      int
	takes     time.Duration // of each Set
	setAt     time.Time
	liveAt    time.Time
	removed   bool
	stuck     error // error of Remove
	closed    bool
	news      chan datapath.Flow
	misplaced []datapath.Flow
	learnt    []datapath.Flow
	busy      chan struct{} // Set blocks until it is closed
}

func (e *fakeEngine) Set(_ context.Context, services []datapath.Service) (datapath.Outcome, error) {
	e.mu.Lock()
	if busy := e.busy; busy != nil {
		e.mu.Unlock()
		<-busy
		e.mu.Lock()
	}
	defer e.mu.Unlock()
	e.sets++
	time.Sleep(e.takes)
	if e.failing != nil {
		return datapath.Outcome{}, e.failing
	}
	if e.room > 0 && len(services) > e.room {
		return datapath.Outcome{}, fmt.Errorf("%d services are too many", len(services))
	}
	if err := datapath.Check(services, everyDelivery); err != nil {
		return datapath.Outcome{}, err
	}
	services, rejected := datapath.Sift(services, e.services, everyDelivery, e.accepts)
	outcome := datapath.Outcome{Failures: slices.DeleteFunc(slices.Clone(e.failures), func(f datapath.Failure) bool {
		return !slices.ContainsFunc(services, func(s datapath.Service) bool { return s.Key == f.Service })
	})}
	services = slices.DeleteFunc(slices.Clone(services), func(s datapath.Service) bool {
		return slices.ContainsFunc(outcome.Failures, func(f datapath.Failure) bool { return f.Service == s.Key && f.Backend == "" })
	})
	outcome.Failures = append(outcome.Failures, rejected...)
	if equalServiceLists(e.services, services) {
		return outcome, nil
	}
	e.services, e.setAt, outcome.Changes = services, time.Now(), 1
	return outcome, nil
}

func (e *fakeEngine) accepts(service *datapath.Service) error {
	if e.rejects != "" && service.Scheduler == e.rejects {
		return errors.New("the kernel has no such scheduler")
	}
	return nil
}

func (e *fakeEngine) Observe(context.Context) (datapath.Observed, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	observed := datapath.Observed{LiveAt: e.liveAt}
	for _, service := range e.services {
		counts := e.counts[service.Key]
		counts.Key = service.Key
		if counts.Backends == nil {
			for _, backend := range service.Backends {
				counts.Backends = append(counts.Backends, datapath.BackendCounts{ID: backend.ID})
			}
		}
		observed.Services = append(observed.Services, counts)
	}
	return observed, nil
}

func (e *fakeEngine) Close() error { e.closed = true; return nil }

func (e *fakeEngine) Remove() error {
	e.removed = e.stuck == nil
	return e.stuck
}

func (e *fakeEngine) up(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, service := range e.services {
		for _, backend := range service.Backends {
			if backend.ID == id {
				return backend.Up
			}
		}
	}
	return false
}

func (e *fakeEngine) damage() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.services = nil
}

// keeperEngine also hands flows over.
type keeperEngine struct{ *fakeEngine }

func (e keeperEngine) Misplaced() <-chan datapath.Flow { return e.news }

func (e keeperEngine) MisplacedNow(context.Context) ([]datapath.Flow, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.misplaced), nil
}

func (e keeperEngine) Learn(received []datapath.Flow) (unknown []datapath.Flow, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, flow := range received {
		if !e.has(flow.Service, flow.Backend) {
			unknown = append(unknown, flow)
			continue
		}
		flow.Age = 0 // tests only compare places
		e.learnt = append(e.learnt, flow)
	}
	return unknown, nil
}

func (e *fakeEngine) has(key datapath.Key, backend string) bool {
	for _, service := range e.services {
		if service.Key == key {
			return slices.ContainsFunc(service.Backends, func(b datapath.Backend) bool { return b.ID == backend })
		}
	}
	return false
}

// holderEngine also holds first packets.
type holderEngine struct {
	keeperEngine
	held chan datapath.Held
}

func (e holderEngine) LearntNow(context.Context) ([]datapath.Flow, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.learnt), nil
}

func (e holderEngine) Hold(time.Duration) error   { return nil }
func (e holderEngine) Held() <-chan datapath.Held { return e.held }

// bench is a driver under test with fake candidates.
type bench struct {
	*Driver
	engines map[string]*fakeEngine
	mu      sync.Mutex
	broken  map[string]bool // addresses of backends that don't answer
	lost    map[string]bool // addresses of backends that packets of services don't reach
}

func (b *bench) probe(_ context.Context, target health.Target) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.broken[target.Address.String()] {
		return errors.New("refused the connection")
	}
	if target.Path != (health.Path{}) && b.lost[target.Address.String()] {
		return errors.New("isn't reached at the service address")
	}
	return nil
}

func (b *bench) setLost(address string, lost bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost[address] = lost
}

func (b *bench) setBroken(address string, broken bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.broken[address] = broken
}

func newBench(t *testing.T, folder string, names ...string) *bench {
	t.Helper()
	b := &bench{engines: map[string]*fakeEngine{}, broken: map[string]bool{}, lost: map[string]bool{}}
	var candidates []datapath.Candidate
	for _, name := range names {
		candidates = append(candidates, b.candidate(name))
	}
	b.Driver = NewDriver(Options{
		Candidates: candidates, StateFolder: folder, Probe: b.probe,
		Engine: datapath.Options{Interface: "lo"}, Log: slog.New(slog.DiscardHandler), Flows: flows.Options{},
	})
	return b
}

func (b *bench) candidate(name string) datapath.Candidate {
	deliveries := map[string][]datapath.Delivery{
		"tcx": {datapath.Direct, datapath.Tunnel, datapath.NAT}, "xdp": {datapath.Direct}, "ipvs": {datapath.Direct, datapath.NAT}, "userspace": {datapath.Proxy},
	}
	candidate := datapath.Candidate{
		Name: name, Deliveries: deliveries[name],
		Preflight: func(datapath.Options) error { return nil },
		Open: func(datapath.Options) (datapath.Engine, error) {
			b.engines[name] = &fakeEngine{news: make(chan datapath.Flow, 10)}
			return b.engines[name], nil
		},
	}
	candidate.BeforeTaps = name == "xdp"
	if name == "ipvs" {
		candidate.Schedulers = []string{"rr", "wrr"}
	}
	return candidate
}

// config returns one valid service, with changes.
func config(revision uint64, changes ...func(*agentv1.BalancerRole)) *agentv1.NodeConfig {
	role := &agentv1.BalancerRole{Services: []*agentv1.BalancerService{{
		LoadBalancerId: "lb_1", ExposureId: "exp_1", Address: "192.0.2.1", Port: 80, Protocol: "tcp",
		HealthCheck: &agentv1.HealthCheck{Type: "tcp", IntervalMs: 1000, Rise: 1, Fall: 2},
		Backends: []*agentv1.BalancerBackend{
			{Id: "b", Address: "10.0.0.2", Port: 80, Weight: 1, State: "active"},
			{Id: "a", Address: "10.0.0.1", Port: 80, Weight: 2, State: "active"},
		},
	}}}
	for _, change := range changes {
		change(role)
	}
	return &agentv1.NodeConfig{Revision: revision, Balancer: role}
}

func engineOf(name string) func(*agentv1.BalancerRole) {
	return func(role *agentv1.BalancerRole) { role.Engine = name }
}

func service(change func(*agentv1.BalancerService)) func(*agentv1.BalancerRole) {
	return func(role *agentv1.BalancerRole) { change(role.Services[0]) }
}

func desired(t *testing.T, config *agentv1.NodeConfig) Desired {
	t.Helper()
	parsed, err := ParseDesired(config)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func mustSet(t *testing.T, b *bench, config *agentv1.NodeConfig) int {
	t.Helper()
	changes, err := b.Set(t.Context(), desired(t, config))
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

// reasons returns the reasons of all events, and removes them.
func reasons(b *bench) []string { return reasonsOf(b, "") }

// reasonsOf returns only those of one load balancer, unless it is "".
func reasonsOf(b *bench, loadBalancer string) []string {
	var all []string
	for _, event := range b.news.Take() {
		if loadBalancer == "" || event.GetLoadBalancerId() == loadBalancer {
			all = append(all, event.GetReason())
		}
	}
	return all
}
