package pins

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/privileged"
)

// Settings that lack the last field keep the next incarnation: if it began again, flows of
// removed backends would reach new ones.
func TestShorterSettingsAreCopied(t *testing.T) {
	privileged.Need(t)
	folder := filepath.Join(bpffs, fmt.Sprintf("fairlead-test-copy-%d", os.Getpid()))
	if err := MakeFolder(folder); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	of := func(size uint32) *ebpf.Map {
		m, err := ebpf.NewMap(&ebpf.MapSpec{Type: ebpf.Array, KeySize: 4, ValueSize: size, MaxEntries: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = m.Close() })
		return m
	}
	spec, err := program.LoadTcx()
	if err != nil {
		t.Fatal(err)
	}
	size := spec.Maps[program.TcxMapSettingsMap].ValueSize
	former, now := of(program.FormerSizes[program.TcxMapSettingsMap][0]), of(size)

	whole := of(size)
	if err := whole.Put(uint32(0), program.Settings{NextIncarnation: 7, Hardware: [6]uint8{2, 0, 0, 0, 0, 9}, Ways: 3}); err != nil {
		t.Fatal(err)
	}
	bytes, err := whole.LookupBytes(uint32(0))
	if err != nil {
		t.Fatal(err)
	}
	if err := former.Put(uint32(0), bytes[:former.ValueSize()]); err != nil {
		t.Fatal(err)
	}
	if err := former.Pin(filepath.Join(folder, program.TcxMapSettingsMap)); err != nil {
		t.Fatal(err)
	}

	if err := copyMap(folder, program.TcxMapSettingsMap, now); err != nil {
		t.Fatal(err)
	}
	var got program.Settings
	if err := now.Lookup(uint32(0), &got); err != nil {
		t.Fatal(err)
	}
	if want := (program.Settings{NextIncarnation: 7, Hardware: [6]uint8{2, 0, 0, 0, 0, 9}}); got != want {
		t.Errorf("copied %+v, want %+v", got, want)
	}
}
