package balancer

import (
	"errors"
	"io"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/netwatch"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// watchFake is a watch whose changes a test reports.
type watchFake struct {
	changed func(netwatch.Change)
	open    int
	failing error
}

func (w *watchFake) start(_ string, changed func(netwatch.Change)) (io.Closer, error) {
	if w.failing != nil {
		return nil, w.failing
	}
	w.changed, w.open = changed, w.open+1
	return w, nil
}

func (w *watchFake) Close() error { w.open--; return nil }

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
	engine.failures = []datapath.Failure{{Service: b.desired.Services[0].Wanted.Key, Backend: "a", Reason: "has no route"}}
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
