package health_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/health"
)

var tcpCheck = health.Check{Kind: health.TCP, Interval: time.Second, Timeout: 500 * time.Millisecond, Rise: 2, Fall: 3}

// network is a fake network whose answers a test sets.
type network struct {
	mu      sync.Mutex
	broken  map[netip.Addr]bool
	checked map[netip.Addr][]time.Time
}

func (n *network) probe(_ context.Context, target health.Target) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.checked == nil {
		n.checked = map[netip.Addr][]time.Time{}
	}
	n.checked[target.Address] = append(n.checked[target.Address], time.Now())
	if n.broken[target.Address] {
		return errors.New("refused the connection")
	}
	return nil
}

func (n *network) setBroken(address netip.Addr, broken bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.broken = map[netip.Addr]bool{address: broken}
}

func (n *network) times(address netip.Addr) []time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]time.Time(nil), n.checked[address]...)
}

func target(last byte) health.Target {
	return health.Target{Address: netip.AddrFrom4([4]byte{10, 0, 0, last}), Port: 80, Check: tcpCheck}
}

func TestABackendGoesDownAfterFallAndUpAfterRise(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, changes := &network{}, atomic.Int32{}
		m := health.NewMonitor(health.Options{Probe: n.probe, Changed: func() { changes.Add(1) }})
		defer m.Close()
		m.Set([]health.Target{target(1), target(2)})
		if m.State(target(1)).Health != health.Unknown {
			t.Fatal("health is known before the first check")
		}
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if m.State(target(1)).Health != health.Up || changes.Load() != 2 {
			t.Fatalf("state %+v after %d changes", m.State(target(1)), changes.Load())
		}

		n.setBroken(target(1).Address, true)
		time.Sleep(3500 * time.Millisecond)
		synctest.Wait()
		if got := m.State(target(1)); got.Health != health.Down || got.Message != "refused the connection" {
			t.Fatalf("state %+v", got)
		}
		if got := m.State(target(2)); got.Health != health.Up || changes.Load() != 3 {
			t.Fatalf("the other one: %+v after %d changes", got, changes.Load())
		}

		n.setBroken(target(1).Address, false)
		time.Sleep(2500 * time.Millisecond)
		synctest.Wait()
		if got := m.State(target(1)); got.Health != health.Up || changes.Load() != 4 {
			t.Fatalf("state %+v after %d changes", got, changes.Load())
		}
	})
}

func TestChecksRunAtTheirIntervalWithJitter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{}
		m := health.NewMonitor(health.Options{Probe: n.probe})
		defer m.Close()
		m.Set([]health.Target{target(1)})
		time.Sleep(1000 * time.Second)
		synctest.Wait()
		times, different := n.times(target(1).Address), map[time.Duration]bool{}
		for i := range times[1:] {
			pause := times[i+1].Sub(times[i])
			if pause < 900*time.Millisecond || pause > 1100*time.Millisecond {
				t.Fatalf("a pause of %v", pause)
			}
			different[pause] = true
		}
		if len(times) < 950 || len(times) > 1050 || len(different) < 100 {
			t.Fatalf("%d checks, %d different pauses", len(times), len(different))
		}
	})
}

func TestAFailureWithoutContactIsRetriedSoonerUnlessTheTargetIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var missing atomic.Bool
		var checks atomic.Int32
		missing.Store(true)
		m := health.NewMonitor(health.Options{Probe: func(context.Context, health.Target) error {
			checks.Add(1)
			if missing.Load() {
				return health.NotContacted{Err: errors.New("it isn't carried"), Again: 100 * time.Millisecond}
			}
			return nil
		}})
		defer m.Close()
		m.Set([]health.Target{target(1)})
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := m.State(target(1)); got.Health != health.Down || got.Message != "it isn't carried" || checks.Load() < 85 {
			t.Fatalf("state %+v after %d checks", got, checks.Load())
		}
		missing.Store(false)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		missing.Store(true)
		if got := m.State(target(1)); got.Health != health.Up {
			t.Fatalf("state %+v", got)
		}
		time.Sleep(1500 * time.Millisecond) // before its third check
		synctest.Wait()
		if got := m.State(target(1)); got.Health != health.Up {
			t.Fatalf("state %+v", got)
		}
	})
}

func TestATargetThatStaysKeepsItsStateAndARemovedOneIsCheckedNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{}
		m := health.NewMonitor(health.Options{Probe: n.probe})
		defer m.Close()
		m.Set([]health.Target{target(1), target(2)})
		time.Sleep(time.Minute)
		synctest.Wait()
		since := m.State(target(1)).Since
		m.Set([]health.Target{target(1), target(3)})
		before := len(n.times(target(2).Address))
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := m.State(target(1)); got.Health != health.Up || got.Since != since {
			t.Fatalf("state %+v", got)
		}
		if m.State(target(2)).Health != health.Unknown || len(n.times(target(2).Address)) != before {
			t.Fatal("a target that is gone is still watched")
		}
		if m.State(target(3)).Health != health.Up {
			t.Fatal("the new target isn't watched")
		}
	})
}

func TestNoMoreChecksThanAllowedRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running, most, done atomic.Int32
		m := health.NewMonitor(health.Options{AtOnce: 7, Probe: func(ctx context.Context, _ health.Target) error {
			now := running.Add(1)
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			<-ctx.Done() // each takes its whole timeout
			running.Add(-1)
			done.Add(1)
			return ctx.Err()
		}})
		defer m.Close()
		var targets []health.Target
		for i := range byte(100) {
			targets = append(targets, target(i))
		}
		m.Set(targets)
		time.Sleep(20 * time.Second)
		synctest.Wait()
		if most.Load() != 7 || done.Load() < 200 {
			t.Fatalf("%d at once, %d done", most.Load(), done.Load())
		}
	})
}

func TestUnresponsiveTargetsDontDelayChecksOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		well := target(200)
		var checked []time.Time
		m := health.NewMonitor(health.Options{AtOnce: 8, Probe: func(ctx context.Context, of health.Target) error {
			if of == well {
				checked = append(checked, time.Now())
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}})
		targets := []health.Target{well}
		for i := range byte(100) {
			targets = append(targets, target(i))
		}
		m.Set(targets)
		time.Sleep(time.Minute) // in the first of which the health of all is unknown
		m.Close()
		for i := range checked[1:] {
			if pause := checked[i+1].Sub(checked[i]); i > 8 && pause > 1100*time.Millisecond {
				t.Fatalf("a pause of %v before check %d", pause, i+1)
			}
		}
		if len(checked) < 50 {
			t.Fatalf("checked %d times in a minute", len(checked))
		}
	})
}

func TestCloseWaitsForRunningChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int32
		m := health.NewMonitor(health.Options{Probe: func(ctx context.Context, _ health.Target) error {
			running.Add(1)
			defer running.Add(-1)
			<-ctx.Done()
			return ctx.Err()
		}})
		m.Set([]health.Target{target(1)})
		time.Sleep(300 * time.Millisecond)
		synctest.Wait()
		if running.Load() != 1 {
			t.Fatalf("%d run", running.Load())
		}
		m.Close()
		if running.Load() != 0 {
			t.Fatal("a check outlived Close")
		}
	})
}

func TestAPathHasItsOwnState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := health.NewMonitor(health.Options{Probe: func(_ context.Context, target health.Target) error {
			if port := target.Path.Service.Port; port == 443 || port == 8443 {
				return errors.New("isn't reached")
			}
			return nil
		}})
		defer m.Close()
		pathTo := func(port uint16) (path health.Path) {
			path.Service.Port = port
			return path
		}
		along := func(path health.Path) health.Target {
			one := target(1)
			one.Path = path
			return one
		}
		lost, later := pathTo(443), pathTo(8443)
		m.Set([]health.Target{target(1), along(pathTo(80)), along(lost)})
		time.Sleep(time.Second)
		for port, want := range map[uint16]health.Health{80: health.Up, 443: health.Down, 8080: health.Unknown} {
			if own, path := m.States(target(1), pathTo(port)); own.Health != health.Up || path.Health != want {
				t.Errorf("port %d: own %s, path %s", port, own.Health, path.Health)
			}
		}
		if own, _ := m.States(target(1), lost); own.Failing {
			t.Error("the own address fails")
		}
		if state := m.State(along(lost)); !state.Failing {
			t.Error("the path doesn't fail")
		}
		// A path that is added to a backend that is up, as when the delivery changes, has to fail three times.
		m.Set([]health.Target{target(1), along(pathTo(80)), along(lost), along(later)})
		for _, want := range []health.Health{health.Unknown, health.Down} {
			time.Sleep(time.Second)
			if state := m.State(along(later)); state.Health != want || !state.Failing {
				t.Errorf("a new path is %s, want %s", state.Health, want)
			}
			time.Sleep(5 * time.Second)
		}
		m.Set([]health.Target{target(1), along(pathTo(80))})
		if _, path := m.States(target(1), lost); path.Health != health.Unknown || !path.Since.IsZero() {
			t.Errorf("a removed path has %+v", path)
		}
	})
}
