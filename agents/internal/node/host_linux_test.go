package node

import (
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"
)

func TestThisHostsFactsAreReadableAndStable(t *testing.T) {
	var counters Counters
	if err := NewSource().Read(&counters); err != nil {
		t.Fatal(err)
	}
	if counters.CPU.Idle == 0 || counters.Memory.Total == 0 || counters.AgentMemoryBytes == 0 {
		t.Fatalf("counters = %+v", counters)
	}
	none := func(string) bool { return false }
	facts := NewFacts()
	first, err := facts.Gather(none)
	if err != nil {
		t.Fatal(err)
	}
	second, err := facts.Gather(none)
	if err != nil || !proto.Equal(first, second) {
		t.Fatalf("unchanged facts compare different (%v):\n%v\n%v", err, first, second)
	}
	if _, err := proto.Marshal(first); err != nil {
		t.Fatal(err)
	}
	if first.GetKernel() == "" || first.GetCpuCount() == 0 || len(first.GetKernelFeatures()) == 0 {
		t.Fatalf("facts = %v", first)
	}
}

// fakeProc is a copy of the files in /proc that every host has.
type fakeProc struct {
	t        *testing.T
	root     string
	counters Counters // reused, as by the sampler
}

func newFakeProc(t *testing.T) *fakeProc {
	t.Helper()
	proc := &fakeProc{t: t, root: t.TempDir()}
	for _, name := range []string{"stat", "meminfo", "loadavg", "self/net/dev", "self/statm"} {
		text, err := os.ReadFile(filepath.Join("/proc", name))
		if err != nil {
			t.Fatal(err)
		}
		proc.write(name, string(text))
	}
	return proc
}

func (p *fakeProc) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *fakeProc) remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(filepath.Join(p.root, name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *fakeProc) read() *Counters {
	p.t.Helper()
	if err := (procSource{p.root}).Read(&p.counters); err != nil {
		p.t.Fatal(err)
	}
	return &p.counters
}

func TestPressureIsReadWhereTheKernelMeasuresIt(t *testing.T) {
	proc := newFakeProc(t)
	if got := proc.read().Pressure; got != nil {
		t.Fatalf("without /proc/pressure: %+v", got)
	}
	for _, name := range []string{"pressure/cpu", "pressure/memory", "pressure/io"} {
		proc.write(name, noStall)
	}
	if got := proc.read().Pressure; got == nil || *got != (Pressure{}) {
		t.Fatalf("on an idle host: %+v", got)
	}
	proc.remove("pressure/io")
	if got := proc.read().Pressure; got != nil {
		t.Fatalf("without one of the files: %+v", got)
	}
}

func TestTrackedConnectionsAreReadWhileTheKernelModuleIsLoaded(t *testing.T) {
	proc := newFakeProc(t)
	read := func() *Connections { return proc.read().Connections }

	if got := read(); got != nil {
		t.Fatalf("before the module is loaded: %+v", got)
	}
	proc.write("sys/net/netfilter/nf_conntrack_count", "1200\n")
	proc.write("sys/net/netfilter/nf_conntrack_max", "262144\n")
	if got := read(); got == nil || *got != (Connections{Tracked: 1200, Limit: 262144}) {
		t.Fatalf("while the module is loaded: %+v", got)
	}
	proc.remove("sys")
	if got := read(); got != nil {
		t.Fatalf("after the module was unloaded: %+v", got)
	}
}
