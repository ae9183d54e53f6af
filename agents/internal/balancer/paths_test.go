package balancer

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/netwatch"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// watchFake is a watch whose changes a test reports.
type watchFake struct {
	changed func(netwatch.Change)
	open    int
	failing error // of the start
	ended   error
}

func (w *watchFake) start(_ string, changed func(netwatch.Change)) (netwatch.Watch, error) {
	if w.failing != nil {
		return nil, w.failing
	}
	w.changed, w.open = changed, w.open+1
	return w, nil
}

func (w *watchFake) Close() error { w.open, w.ended = w.open-1, nil; return nil }

func (w *watchFake) Err() error { return w.ended }

// sets reports a change and returns how often the engine was set then.
func (w *watchFake) sets(t *testing.T, b *bench, change netwatch.Change) int {
	t.Helper()
	before := b.engines["tcx"].sets
	w.changed(change)
	if _, err := b.Woken(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b.engines["tcx"].sets - before
}

func TestTheDataPathIsSetAgainWhenTheNetworkChanges(t *testing.T) {
	b, watch := newBench(t, t.TempDir(), "tcx"), &watchFake{}
	defer b.Close()
	b.options.Watch = watch.start
	mustSet(t, b, config(1))
	mustSet(t, b, config(1))
	if watch.open != 1 {
		t.Fatalf("%d watches are open", watch.open)
	}
	if got := watch.sets(t, b, netwatch.Change{Interface: true}); got != 1 {
		t.Errorf("after a change of the interface it was set %d times", got)
	}
	if got := watch.sets(t, b, netwatch.Change{Routes: true}); got != 0 {
		t.Errorf("everything is set, and after a change of routes it was set %d times", got)
	}

	engine := b.engines["tcx"]
	engine.failures = []datapath.Failure{{Service: b.desired.Services[0].Wanted.Key, Backend: "a", Reason: "has no route", OfRoutes: true}}
	mustSet(t, b, config(1))
	engine.failures = nil
	reasons(b)
	if got := watch.sets(t, b, netwatch.Change{Routes: true}); got != 1 {
		t.Errorf("a backend has no route, and after a change of routes it was set %d times", got)
	}
	if got := reasons(b); !slices.Equal(got, []string{BackendUp}) {
		t.Errorf("events %q", got)
	}

	engine.failing = errors.New("the interface is gone")
	watch.changed(netwatch.Change{Interface: true})
	if _, err := b.Woken(t.Context()); err == nil {
		t.Error("no error")
	}
	engine.failing = nil
	before := engine.sets
	if _, err := b.Woken(t.Context()); err != nil || engine.sets != before+1 {
		t.Errorf("a failed Set is not repeated: %v", err)
	}

	mustSet(t, b, &agentv1.NodeConfig{Revision: 2})
	if watch.open != 0 {
		t.Errorf("the role is off, and %d watches are open", watch.open)
	}
}

// A host may get thousands of routes in a second, and a Set may take long.
func TestRoutesThatChangeAllTheTimeCauseFewSets(t *testing.T) {
	const setTakes = 200 * time.Millisecond
	for _, test := range []struct {
		name     string
		ofRoutes bool
		least    int
		most     int
	}{
		{"a backend lacks a route", true, 4, 6},
		{"a port is in use, which no route changes", false, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, watch := newBench(t, t.TempDir(), "tcx"), &watchFake{}
				defer b.Close()
				b.options.Watch = watch.start
				mustSet(t, b, config(1))
				engine := b.engines["tcx"]
				failure := datapath.Failure{Service: b.desired.Services[0].Wanted.Key, Backend: "a", Reason: "fails", OfRoutes: test.ofRoutes}
				engine.failures = []datapath.Failure{failure}
				mustSet(t, b, config(1))
				engine.takes = setTakes
				before, began := engine.sets, time.Now()
				for time.Since(began) < 10*time.Second {
					watch.changed(netwatch.Change{Routes: true})
					time.Sleep(time.Millisecond)
					select {
					case <-b.wake:
						if _, err := b.Woken(t.Context()); err != nil {
							t.Fatal(err)
						}
					default:
					}
				}
				if got := engine.sets - before; got < test.least || got > test.most {
					t.Errorf("in ten seconds it was set %d times, want %d to %d", got, test.least, test.most)
				}
				if !test.ofRoutes {
					return
				}
				// The last change takes effect although none follows.
				engine.mu.Lock()
				engine.failures = nil
				engine.mu.Unlock()
				watch.changed(netwatch.Change{Routes: true})
				reasons(b)
				wakeUntil(t, b, repeatPart*setTakes+time.Second, func() bool { return slices.Contains(reasons(b), BackendUp) })
			})
		})
	}
}

func TestAWatchThatFailsIsReportedAndStartedAgain(t *testing.T) {
	b, watch := newBench(t, t.TempDir(), "tcx"), &watchFake{}
	defer b.Close()
	b.options.Watch = watch.start
	mustSet(t, b, config(1))
	reasons(b)
	watch.ended = errors.New("the socket is closed")
	for range 2 {
		mustSet(t, b, config(1))
	}
	if got := reasons(b); !slices.Equal(got, []string{EngineFailed}) || watch.open != 1 || b.watch.Err() != nil {
		t.Errorf("events %q, %d watches are open", got, watch.open)
	}
	if got := watch.sets(t, b, netwatch.Change{Interface: true}); got != 1 {
		t.Errorf("after a change of the interface it was set %d times", got)
	}
}

func TestANetworkThatCantBeWatchedIsReportedOnce(t *testing.T) {
	b, watch := newBench(t, t.TempDir(), "tcx"), &watchFake{failing: errors.New("not permitted")}
	defer b.Close()
	b.options.Watch = watch.start
	mustSet(t, b, config(1))
	mustSet(t, b, config(1))
	if got := reasons(b); !slices.Equal(got, []string{EngineFailed, EngineChosen}) {
		t.Errorf("events %q", got)
	}
}
