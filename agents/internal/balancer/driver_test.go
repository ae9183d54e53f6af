package balancer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/agent/agenttest"
	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestTheDriverKeepsItsContract(t *testing.T) {
	agenttest.Contract(t, func(t *testing.T) agenttest.Case[Desired, Observed] {
		b := newBench(t, t.TempDir(), "tcx")
		return agenttest.Case[Desired, Observed]{
			Driver: b.Driver, First: desired(t, config(1)),
			Second: desired(t, config(2, service(func(s *agentv1.BalancerService) { s.Port, s.Backends[0].Port, s.Backends[1].Port = 81, 81, 81 }))),
			Shows: func(observed Observed, desired Desired) bool {
				return slices.Equal(observed.Carried, []datapath.Key{desired.Services[0].Wanted.Key})
			},
			Damage: func() { b.engines["tcx"].damage() },
		}
	})
}

func TestAutoTakesTheFirstThatCarriesAndSaysWhyNotTheOthers(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx", "ipvs", "userspace")
	defer b.Close()
	b.options.Candidates[0].Preflight = func(datapath.Options) error { return errors.New("this kernel has no TCX; it needs 6.6") }
	mustSet(t, b, config(1))
	observed, err := b.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	status := observed.Status
	if status.GetEngine() != "ipvs" || len(status.GetRefused()) != 1 || status.GetRefused()[0].GetReason() != "This kernel has no TCX; it needs 6.6." ||
		!strings.Contains(status.GetEngineReason(), "tcx can't be had") {
		t.Fatalf("status %v", status)
	}
	if got := reasons(b); !slices.Equal(got, []string{EngineChosen}) {
		t.Fatalf("events %q", got)
	}
}

func TestAnEngineThatCannotCarryTheServicesIsPassedOver(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*agentv1.BalancerRole)
		want   string // engine and delivery
	}{
		{"nothing special", func(*agentv1.BalancerRole) {}, "tcx direct"},
		{"another port", service(func(s *agentv1.BalancerService) { s.Backends[0].Port = 8080 }), "tcx nat"},
		{"a scheduler", service(func(s *agentv1.BalancerService) { s.Scheduler = "wrr" }), "ipvs direct"},
		{"the PROXY protocol", service(func(s *agentv1.BalancerService) { s.ProxyProtocol = true }), "userspace proxy"},
		{"another family behind", service(func(s *agentv1.BalancerService) { s.Backends[0].Address = "fd00::2" }), "userspace proxy"},
		{"a tunnel", service(func(s *agentv1.BalancerService) { s.Delivery = "tunnel" }), "tcx tunnel"},
		{"a wish", engineOf("ipvs"), "ipvs direct"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t, t.TempDir(), "tcx", "ipvs", "userspace")
			defer b.Close()
			mustSet(t, b, config(1, test.change))
			name := b.running.choice.Candidate.Name
			if got := name + " " + string(b.engines[name].services[0].Delivery); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestNoEngineIsOneClearSentenceAndWhatRanStays(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx", "userspace")
	defer b.Close()
	mustSet(t, b, config(1))
	_, err := b.Set(t.Context(), desired(t, config(2, service(func(s *agentv1.BalancerService) { s.Scheduler = "lc" }))))
	if err == nil || !strings.Contains(err.Error(), `tcx: It doesn't know the scheduler "lc" that service 192.0.2.1:80/tcp asks for. userspace: It`) {
		t.Fatalf("err = %v", err)
	}
	if b.engines["tcx"].removed || len(b.engines["tcx"].services) != 1 {
		t.Fatal("what ran before is gone")
	}
	if got := reasons(b); !slices.Equal(got, []string{EngineChosen, ConfigRefused}) {
		t.Fatalf("events %q", got)
	}
}

func TestAnEngineThatFailsLaterKeepsItsServicesAndIsSaid(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	mustSet(t, b, config(1))
	b.engines["tcx"].failing = errors.New("the map is full")
	if _, err := b.Set(t.Context(), desired(t, config(2, engineOf("tcx"), service(func(s *agentv1.BalancerService) { s.Backends = nil })))); err == nil {
		t.Fatal("no error")
	}
	if ready, sentence := b.ready.Load().now(); !ready || !strings.Contains(sentence, "the newest config is not: tcx: the map is full") {
		t.Fatalf("ready %v: %s", ready, sentence)
	}
}

func TestASwitchOfEnginesCarriesOnFirstAndThenRemoves(t *testing.T) {
	folder := t.TempDir()
	b := newBench(t, folder, "tcx", "userspace")
	mustSet(t, b, config(1))
	if changes := mustSet(t, b, config(2, engineOf("userspace"))); changes == 0 {
		t.Error("a switch is no change")
	}
	if !b.engines["tcx"].removed || len(b.engines["userspace"].services) != 1 {
		t.Fatal("the former engine is still there, or the next one carries nothing")
	}
	if err := b.Close(); err != nil || b.engines["userspace"].removed {
		t.Fatalf("close: %v, removed %v", err, b.engines["userspace"].removed)
	}

	again := newBench(t, folder, "tcx", "userspace") // a restart that chooses otherwise
	defer again.Close()
	mustSet(t, again, config(3))
	if again.running.choice.Candidate.Name != "tcx" || !again.engines["userspace"].removed {
		t.Fatal("what the former process left was not cleared up")
	}
	if changes := mustSet(t, again, &agentv1.NodeConfig{Revision: 4}); changes == 0 || !again.engines["tcx"].removed {
		t.Fatal("the role is off and something carries packets")
	}
}

func TestARestartThatFailsLeavesWhatTheFormerProcessLeft(t *testing.T) {
	folder := t.TempDir()
	first := newBench(t, folder, "tcx", "userspace")
	mustSet(t, first, config(1))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again := newBench(t, folder, "tcx", "userspace")
	defer again.Close()
	open := again.options.Candidates[0].Open
	again.options.Candidates[0].Open = func(options datapath.Options) (datapath.Engine, error) {
		engine, err := open(options)
		again.engines["tcx"].failing = context.Canceled
		return engine, err
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // stopped while it started
	if _, err := again.Set(ctx, desired(t, config(1))); err == nil {
		t.Fatal("no error")
	}
	if engine := again.engines["tcx"]; engine.removed || !engine.closed || again.engines["userspace"] != nil {
		t.Fatalf("removed %v, closed %v, userspace tried %v", engine.removed, engine.closed, again.engines["userspace"] != nil)
	}
}

// Two engines that carry the same services would quarrel, so each is tried again until
// nothing of it is left.
func TestAnEngineThatCouldNotBeRemovedIsRemovedLater(t *testing.T) {
	folder := t.TempDir()
	first := newBench(t, folder, "tcx", "ipvs", "userspace")
	mustSet(t, first, config(1))
	first.engines["tcx"].stuck = errors.New("busy")
	mustSet(t, first, config(2, engineOf("ipvs")))
	first.engines["ipvs"].stuck = errors.New("busy")
	mustSet(t, first, config(3, engineOf("userspace")))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	again := newBench(t, folder, "tcx", "ipvs", "userspace")
	defer again.Close()
	mustSet(t, again, config(3, engineOf("userspace")))
	for _, name := range []string{"tcx", "ipvs"} {
		if engine := again.engines[name]; engine == nil || !engine.removed {
			t.Errorf("%s was not removed", name)
		}
	}
	if formers, err := again.formers(); err != nil || !slices.Equal(formers, []string{"userspace"}) {
		t.Errorf("remembered are %q, %v", formers, err)
	}
}

func TestARefusalIsSaidOnceAndAnotherOneToo(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	mustSet(t, b, config(1))
	reasons(b)
	refused := func(why string) (messages []string) {
		b.engines["tcx"].failing = errors.New(why)
		if _, err := b.Set(t.Context(), desired(t, config(2))); err == nil {
			t.Fatal("no error")
		}
		for _, event := range b.news.take() {
			messages = append(messages, event.GetMessage())
		}
		return messages
	}
	for _, step := range []struct {
		why  string
		says int
	}{{"the map is full", 1}, {"the map is full", 0}, {"no memory", 1}, {"the map is full", 1}} {
		if got := refused(step.why); len(got) != step.says || step.says == 1 && !strings.Contains(got[0], "Revision 2 is not carried and what ran before stays: tcx: "+step.why) {
			t.Errorf("%s: said %q", step.why, got)
		}
	}
	b.engines["tcx"].failing = nil
	mustSet(t, b, config(2))
	reasons(b)
	if got := refused("no memory"); len(got) != 1 || !strings.Contains(got[0], "Revision 2 runs on as it was, because it could not be set again") {
		t.Errorf("once it was carried: said %q", got)
	}
}

func TestAFullDiskStopsNoTraffic(t *testing.T) {
	folder := t.TempDir()
	// Root may write anywhere, so something in the way plays the full disk.
	if err := os.MkdirAll(filepath.Join(folder, engineFile+".new", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	b := newBench(t, folder, "tcx")
	defer b.Close()
	mustSet(t, b, config(1))
	if got := reasons(b); len(b.engines["tcx"].services) != 1 || !slices.Equal(got, []string{EngineFailed, EngineChosen}) {
		t.Fatalf("events %q", got)
	}
}

func TestHealthReachesTheEngineAndIsNoChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		if !b.engines["tcx"].up("a") {
			t.Fatal("nobody may be missing while nobody was asked")
		}
		b.setBroken("10.0.0.1", true)
		wakeUntil(t, b, 3*time.Second, func() bool { return !b.engines["tcx"].up("a") })
		if !b.engines["tcx"].up("b") {
			t.Fatal("b is down, too")
		}
		b.setBroken("10.0.0.1", false)
		wakeUntil(t, b, 3*time.Second, func() bool { return b.engines["tcx"].up("a") })
		if got := reasons(b); !slices.Equal(got, []string{EngineChosen, BackendDown, BackendUp}) {
			t.Fatalf("events %q", got)
		}

		b.setBroken("10.0.0.1", true)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if changes := mustSet(t, b, config(1)); changes != 0 || b.engines["tcx"].up("a") {
			t.Fatalf("a resync that brings health counts %d corrections", changes)
		}
	})
}

func TestANewcomerMustAnswerFirstAndAChangedCheckTakesNobodyOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		time.Sleep(time.Second)
		mustSet(t, b, config(2, service(func(s *agentv1.BalancerService) {
			s.HealthCheck.Fall = 5
			s.Backends = append(s.Backends, &agentv1.BalancerBackend{Id: "c", Address: "10.0.0.3", Port: 80, Weight: 1, State: "active"})
		})))
		if e := b.engines["tcx"]; !e.up("a") || !e.up("b") || e.up("c") {
			t.Fatalf("a %v, b %v, c %v", e.up("a"), e.up("b"), e.up("c"))
		}
		wakeUntil(t, b, time.Second, func() bool { return b.engines["tcx"].up("c") })
	})
}

func TestAFailedChangeOfHealthIsSaidOnceAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		time.Sleep(time.Second)
		reasons(b)
		b.engines["tcx"].failing = errors.New("the kernel is busy")
		b.setBroken("10.0.0.1", true)
		time.Sleep(3 * time.Second)
		synctest.Wait()
		for range 3 {
			if _, err := b.Woken(t.Context()); err == nil {
				t.Fatal("no error")
			}
		}
		if got := reasons(b); !slices.Equal(got, []string{BackendDown, EngineFailed}) {
			t.Fatalf("events %q", got)
		}
		b.engines["tcx"].failing = nil
		mustSet(t, b, config(1))
		if b.engines["tcx"].up("a") {
			t.Fatal("the resync didn't bring it")
		}
	})
}

// wakeUntil does what the loop does, and wants something to come true in time.
func wakeUntil(t *testing.T, b *bench, within time.Duration, holds func() bool) {
	t.Helper()
	deadline := time.After(within)
	for !holds() {
		select {
		case <-b.wake:
			if _, err := b.Woken(t.Context()); err != nil {
				t.Fatal(err)
			}
		case <-deadline:
			t.Fatalf("not within %v", within)
		}
	}
}
