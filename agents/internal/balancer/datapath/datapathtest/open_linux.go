package datapathtest

import (
	"path/filepath"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// share opens the engine that promises share, unless it is open. Opening is the main cost
// of an engine: the kernel verifies a program of thousands of instructions.
func (tr *trial) share(t *testing.T) {
	t.Helper()
	if tr.engine == nil {
		tr.engine = tr.openIn(t, 0, tr.options(t))
	}
}

// unshare removes it, so that it doesn't affect another engine.
func (tr *trial) unshare(t *testing.T) {
	t.Helper()
	if tr.engine != nil {
		remove(t, tr.engine)
		tr.engine = nil
	}
}

// open returns the shared engine, with no services before and after.
func (tr *trial) open(t *testing.T) *Process {
	t.Helper()
	t.Cleanup(func() {
		if _, err := tr.engine.Set(); err != nil {
			t.Errorf("set no services: %v", err)
		}
	})
	return tr.engine
}

func (tr *trial) options(t *testing.T) datapath.Options {
	t.Helper()
	folder := tr.subject.StateFolder
	if folder == "" {
		folder = t.TempDir()
	}
	name := replicaName()
	return datapath.Options{Interface: Interface, StateFolder: filepath.Join(folder, name), Name: name, Connections: 4096}
}

func (tr *trial) openIn(t *testing.T, balancer int, options datapath.Options) *Process {
	t.Helper()
	p := start(t, tr.test, tr.network.Balancers[balancer], options)
	openBy(t, p)
	return p
}

// openBy opens the engine of a process.
func openBy(t *testing.T, p *Process) {
	t.Helper()
	must(t, p.just("open"))
	t.Cleanup(func() { remove(t, p) })
}

// remove removes an engine and ends its process, unless it has ended.
func remove(t *testing.T, p *Process) {
	t.Helper()
	if p.ended {
		return
	}
	if err := p.Remove(); err != nil {
		t.Errorf("remove: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
