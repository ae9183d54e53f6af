package balancer

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// another adds a copy of the first service on port 81.
func another(changes ...func(*agentv1.BalancerService)) func(*agentv1.BalancerRole) {
	return func(role *agentv1.BalancerRole) {
		one := config(1).GetBalancer().GetServices()[0]
		one.LoadBalancerId, one.Port, one.Backends[0].Port, one.Backends[1].Port = "lb_2", 81, 81, 81
		for _, change := range changes {
			change(one)
		}
		role.Services = append(role.Services, one)
	}
}

func statusOf(t *testing.T, b *bench, at int) *agentv1.BalancerServiceStatus {
	t.Helper()
	observed, err := b.Observe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return observed.Status.GetServices()[at]
}

func TestABackendThatCantBeSetIsReportedDownWithTheReasonUntilItIsSet(t *testing.T) {
	synctest.Test(t, backendThatCantBeSet)
}

func backendThatCantBeSet(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	mustSet(t, b, config(1, another()))
	reasons(b)
	engine, first := b.engines["tcx"], b.desired.Services[0].Wanted
	engine.failures = []datapath.Failure{{Service: first.Key, Backend: "a", Reason: "has no route: network is unreachable"}}
	if changes := mustSet(t, b, config(1, another())); changes != 0 {
		t.Errorf("a new failure counts as %d corrections", changes)
	}
	status := statusOf(t, b, 0)
	if a := status.GetBackends()[0]; a.GetId() != "a" || a.GetHealth() != "down" || a.GetMessage() != "has no route: network is unreachable" || a.GetSince() == nil {
		t.Errorf("a is reported as %v", a)
	}
	if other := status.GetBackends()[1]; other.GetHealth() == "down" || !status.GetReady() {
		t.Errorf("the rest of the service is reported as %v", status)
	}
	if other := statusOf(t, b, 1); !other.GetReady() || other.GetBackends()[0].GetHealth() == "down" {
		t.Errorf("the other service is reported as %v", other)
	}
	mustSet(t, b, config(1, another())) // fails again
	events := b.news.Take()
	if len(events) != 1 || events[0].GetReason() != BackendDown || events[0].GetLoadBalancerId() != "lb_1" ||
		!strings.Contains(events[0].GetMessage(), "is down: it has no route: network is unreachable.") {
		t.Errorf("events %v", events)
	}

	// The other service has the same backend, and reports it.
	b.setBroken("10.0.0.1", true)
	wakeUntil(t, b, 10*time.Second, func() bool { return !engine.up("a") })
	if got := reasonsOf(b, "lb_1"); len(got) > 0 {
		t.Errorf("once its check fails too: events %q", got)
	}
	b.setBroken("10.0.0.1", false)
	wakeUntil(t, b, 10*time.Second, func() bool { return engine.up("a") })

	engine.failures = nil
	mustSet(t, b, config(1, another()))
	if a := statusOf(t, b, 0).GetBackends()[0]; a.GetHealth() == "down" {
		t.Errorf("once it is set, a is reported as %v", a)
	}
	if got := reasonsOf(b, "lb_1"); !slices.Equal(got, []string{BackendUp}) {
		t.Errorf("events %q", got)
	}
}

func TestAServiceWithoutASetBackendIsNotReadyAndNotAdvertised(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	elsewhere := another(func(s *agentv1.BalancerService) { s.Address = "192.0.2.2" })
	mustSet(t, b, config(1, elsewhere))
	key := b.desired.Services[0].Wanted.Key
	for _, id := range []string{"a", "b"} {
		b.engines["tcx"].failures = append(b.engines["tcx"].failures, datapath.Failure{Service: key, Backend: id, Reason: "has no route"})
	}
	mustSet(t, b, config(1, elsewhere))
	if status := statusOf(t, b, 0); status.GetReady() || status.GetMessage() != "None of its 2 backends is up." {
		t.Errorf("reported as %v", status)
	}
	r := b.ready.Load()
	if ready, sentence := r.now(); !ready || len(r.addresses) != 1 || r.addresses[0] != b.desired.Services[1].Wanted.Key.Address {
		t.Errorf("ready %v for %v: %s", ready, r.addresses, sentence)
	}
}

func TestAServiceThatCantBeSetLeavesTheOthers(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	mustSet(t, b, config(1))
	reasons(b)
	engine := b.engines["tcx"]
	bad := datapath.Key{Address: b.desired.Services[0].Wanted.Key.Address, Port: 81, Protocol: datapath.TCP}
	engine.failures = []datapath.Failure{{Service: bad, Reason: "the port is in use"}}
	unchecked := another(func(s *agentv1.BalancerService) { s.HealthCheck = nil })
	mustSet(t, b, config(2, unchecked))
	if len(engine.services) != 1 {
		t.Fatalf("carried are %d services", len(engine.services))
	}
	if status := statusOf(t, b, 1); status.GetReady() || status.GetMessage() != "The data path doesn't carry it: the port is in use." {
		t.Errorf("reported as %v", status)
	}
	if status := statusOf(t, b, 0); !status.GetReady() {
		t.Errorf("the other is reported as %v", status)
	}
	if _, sentence := b.ready.Load().now(); sentence != "1 of 2 services are carried by tcx; the others could not be set." {
		t.Error(sentence)
	}
	events := b.news.Take()
	if len(events) != 1 || events[0].GetReason() != EngineFailed || events[0].GetLoadBalancerId() != "lb_2" ||
		events[0].GetMessage() != "Service 192.0.2.1:81/tcp is not carried: the port is in use." {
		t.Errorf("events %v", events)
	}
	engine.failures[0].Previous = true
	mustSet(t, b, config(2, unchecked))
	engine.services = append(engine.services, datapath.Service{Key: bad})
	if status := statusOf(t, b, 1); !status.GetReady() || status.GetMessage() != "It is carried as before, because its new spec could not be set: the port is in use." {
		t.Errorf("reported as %v", status)
	}
}

func TestAServiceThatNoEngineSupportsLeavesTheOthers(t *testing.T) {
	unsupported := another(func(s *agentv1.BalancerService) { s.Scheduler = "lc" })
	t.Run("of a config's engine", func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1, engineOf("tcx"), unsupported))
		if status := statusOf(t, b, 1); status.GetReady() || !strings.Contains(status.GetMessage(), `it doesn't support the scheduler "lc"`) {
			t.Errorf("reported as %v", status)
		}
		if status := statusOf(t, b, 0); !status.GetReady() {
			t.Errorf("the other is reported as %v", status)
		}
		sets := b.engines["tcx"].sets
		mustSet(t, b, config(1, engineOf("tcx"), unsupported))
		if b.engines["tcx"].sets != sets+1 {
			t.Error("the engine was opened again")
		}
	})
	t.Run("added to a running engine, and it was carried before", func(t *testing.T) {
		b := newBench(t, t.TempDir(), "ipvs", "tcx")
		defer b.Close()
		mustSet(t, b, config(1, another()))
		mustSet(t, b, config(2, unsupported))
		if len(b.engines["ipvs"].services) != 2 || b.engines["tcx"] != nil {
			t.Fatal("the services are not carried as before")
		}
		status := statusOf(t, b, 1)
		if !status.GetReady() || !strings.Contains(status.GetMessage(), "It is carried as before") || b.running.choice.Reason != "ipvs carries 1 of 2 services, and no engine that may run here carries more." {
			t.Errorf("reported as %v, %s", status, b.running.choice.Reason)
		}
	})
	t.Run("the one that carries most", func(t *testing.T) {
		b := newBench(t, t.TempDir(), "xdp", "ipvs", "userspace")
		defer b.Close()
		mustSet(t, b, config(1, unsupported, another(func(s *agentv1.BalancerService) { s.Port, s.Delivery = 82, "nat" })))
		if name := b.running.choice.Candidate.Name; name != "ipvs" || len(b.engines["ipvs"].services) != 2 || b.engines["xdp"] != nil {
			t.Errorf("%s runs", name)
		}
	})
}

func TestACandidateThatFailedIsNotOpenedWithEachConfig(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "ipvs", "tcx")
		defer b.Close()
		opened, open := 0, b.options.Candidates[0].Open
		b.options.Candidates[0].Open = func(options datapath.Options) (datapath.Engine, error) {
			engine, err := open(options)
			opened++
			b.engines["ipvs"].failures = []datapath.Failure{{Service: desired(t, config(1)).Services[0].Wanted.Key, Reason: "the address isn't this host's own", OfEngine: true}}
			return engine, err
		}
		unsupported := func(weight uint32) func(*agentv1.BalancerRole) { // by tcx
			return another(func(s *agentv1.BalancerService) { s.Scheduler, s.Backends[0].Weight = "rr", weight })
		}
		expect := func(step string, want int) {
			t.Helper()
			if opened != want || b.running.choice.Candidate.Name != "tcx" || len(b.running.choice.Refused) != 1 {
				t.Errorf("%s: ipvs was opened %d times, want %d; %s runs", step, opened, want, b.running.choice.Candidate.Name)
			}
		}
		mustSet(t, b, config(1))
		expect("at the start", 1)
		for weight := range uint32(3) {
			mustSet(t, b, config(2, unsupported(weight+1)))
		}
		expect("another service is changed", 1)
		changed := service(func(s *agentv1.BalancerService) { s.Backends[0].Weight = 7 })
		mustSet(t, b, config(3, unsupported(1), changed))
		expect("the service that failed is changed", 2)
		time.Sleep(attemptAgain)
		mustSet(t, b, config(4, unsupported(2), changed))
		expect("later", 3)
	})
}

func TestAnEngineThatCantSetAServiceIsPassedOverForOneThatCan(t *testing.T) {
	b := newBench(t, t.TempDir(), "xdp", "tcx")
	defer b.Close()
	key := desired(t, config(1)).Services[0].Wanted.Key
	open := b.options.Candidates[0].Open
	b.options.Candidates[0].Open = func(options datapath.Options) (datapath.Engine, error) {
		engine, err := open(options)
		b.engines["xdp"].failures = []datapath.Failure{{Service: key, Backend: "a", Reason: "is not reached by eth0", OfEngine: true}}
		return engine, err
	}
	mustSet(t, b, config(1, another()))
	if b.running.choice.Candidate.Name != "tcx" || !b.engines["xdp"].removed {
		t.Errorf("%s runs", b.running.choice.Candidate.Name)
	}
	refused := b.running.choice.Refused
	if len(refused) != 1 || refused[0].Reason != `Service 192.0.2.1:80/tcp: backend "a" is not reached by eth0.` {
		t.Errorf("refused are %v", refused)
	}
}
