package balancer

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestHealthReachesTheEngineAndIsNoChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		if !b.engines["tcx"].up("a") {
			t.Fatal("all backends must be up before the first check")
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

func TestANewBackendMustPassACheckFirstAndAChangedCheckTakesNoBackendOut(t *testing.T) {
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

func TestAFailedChangeOfHealthIsReportedOnceAndRetried(t *testing.T) {
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

// wakeUntil runs the loop's part until a condition holds, within a time limit.
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
