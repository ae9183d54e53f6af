package balancer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestASwitchOfEnginesCarriesFirstAndThenRemoves(t *testing.T) {
	folder := t.TempDir()
	b := newBench(t, folder, "tcx", "userspace")
	mustSet(t, b, config(1))
	if changes := mustSet(t, b, config(2, engineOf("userspace"))); changes == 0 {
		t.Error("a switch does not count as a change")
	}
	if !b.engines["tcx"].removed || len(b.engines["userspace"].services) != 1 {
		t.Fatal("the former engine is still there, or the next one carries nothing")
	}
	if err := b.Close(); err != nil || b.engines["userspace"].removed {
		t.Fatalf("close: %v, removed %v", err, b.engines["userspace"].removed)
	}

	again := newBench(t, folder, "tcx", "userspace") // a restart that chooses another engine
	defer again.Close()
	mustSet(t, again, config(3))
	if again.running.choice.Candidate.Name != "tcx" || !again.engines["userspace"].removed {
		t.Fatal("what the former process left was not cleared up")
	}
	if changes := mustSet(t, again, &agentv1.NodeConfig{Revision: 4}); changes == 0 || !again.engines["tcx"].removed {
		t.Fatal("the role is off and an engine carries packets")
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
	cancel() // stopped during the start
	if _, err := again.Set(ctx, desired(t, config(1))); err == nil {
		t.Fatal("no error")
	}
	if engine := again.engines["tcx"]; engine.removed || !engine.closed || again.engines["userspace"] != nil {
		t.Fatalf("removed %v, closed %v, userspace tried %v", engine.removed, engine.closed, again.engines["userspace"] != nil)
	}
}

// Two engines that carry the same services would conflict, so removal of each is retried
// until nothing of it is left.
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

func TestAFullDiskStopsNoTraffic(t *testing.T) {
	folder := t.TempDir()
	// Root may write anywhere, so a folder at the file's path simulates the full disk.
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
