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

func TestTrackedConnectionsAreReadWhileTheKernelModuleIsLoaded(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"stat", "meminfo", "loadavg", "self/net/dev", "self/statm"} {
		text, err := os.ReadFile(filepath.Join("/proc", name))
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(text))
	}
	var counters Counters // reused, as by the sampler
	read := func() *Connections {
		t.Helper()
		if err := (procSource{root}).Read(&counters); err != nil {
			t.Fatal(err)
		}
		return counters.Connections
	}

	if got := read(); got != nil {
		t.Fatalf("before the module is loaded: %+v", got)
	}
	write("sys/net/netfilter/nf_conntrack_count", "1200\n")
	write("sys/net/netfilter/nf_conntrack_max", "262144\n")
	if got := read(); got == nil || *got != (Connections{Tracked: 1200, Limit: 262144}) {
		t.Fatalf("while the module is loaded: %+v", got)
	}
	if err := os.RemoveAll(filepath.Join(root, "sys")); err != nil {
		t.Fatal(err)
	}
	if got := read(); got != nil {
		t.Fatalf("after the module was unloaded: %+v", got)
	}
}
