package balancer

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/replica"
)

func TestAConfigThatCouldNotBePreparedIsAppliedAgainSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newProxyBench(t, t.TempDir())
		defer b.Close()
		stale := NewRole(b.Driver).Stale
		isDueIn := func(pause time.Duration) {
			t.Helper()
			time.Sleep(pause - time.Millisecond)
			synctest.Wait()
			if len(stale) > 0 {
				t.Errorf("the next try is before %s", pause)
			}
			time.Sleep(2 * time.Millisecond)
			synctest.Wait()
			if len(stale) != 1 {
				t.Fatalf("no try after %s", pause)
			}
			<-stale
		}
		isDone := func() {
			t.Helper()
			time.Sleep(2 * pauseMost)
			synctest.Wait()
			if len(stale) > 0 {
				t.Error("another try without a failure")
			}
		}
		mustSet(t, b, config(1))
		failing := &fakeHandoff{err: errors.New("no memory")}
		b.handoffs.running = failing
		sets := b.engines["tcx"].sets
		for _, pause := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} {
			if _, err := b.Set(t.Context(), desired(t, config(2))); err == nil {
				t.Fatal("it was set")
			}
			former := failing.err
			failing.err = nil
			mustSet(t, b, config(1)) // as the loop restores it
			b.handoffs.running, failing.err = failing, former
			isDueIn(pause)
		}
		if got := b.engines["tcx"].sets - sets; got != 3 {
			t.Errorf("the engine was set %d times, want only for the former config", got)
		}
		failing.err = nil
		mustSet(t, b, config(2))
		isDone()

		b.handoffs.running, failing.err = failing, errors.New("no memory")
		b.healthStale.Store(true)
		b.pathsStale.Store(true)
		if _, err := b.Woken(t.Context()); err == nil {
			t.Fatal("it was set")
		}
		isDueIn(time.Second)
		failing.err = nil
		mustSet(t, b, config(2))
		b.engines["tcx"].failing = errors.New("the spec is wrong")
		if _, err := b.Set(t.Context(), desired(t, config(3))); err == nil {
			t.Fatal("it was set")
		}
		isDone()
	})
}

// No packet of a new service has to wait for the program, so the engine gets it after that.
func TestTheProgramIsPreparedBeforeTheEngine(t *testing.T) {
	broken := errors.New("no memory")
	d := NewDriver(Options{})
	engine := &fakeEngine{}
	one := d.newPlacing("tcx", engine)
	one.placer, one.again = &fakePlacer{broken}, func(time.Duration) {}
	service := datapath.Service{Key: keyAt(443), Chooser: datapath.BySession}
	one.chosen = map[datapath.Key]replica.Service{service.Key: {}}
	d.running = &running{engine: engine, placing: one}
	_, _, err := d.setBoth(t.Context(), engine, one, []datapath.Service{service}, nil)
	if _, is := errors.AsType[unprepared](err); !is || !errors.Is(err, broken) || engine.sets > 0 {
		t.Errorf("%v, and the engine was set %d times", err, engine.sets)
	}
}
