package occupancy

import (
	"os"
	"testing"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/rlimit"

	"fairlead.dev/agents/internal/privileged"
)

func TestEntriesOfEachMapAreCounted(t *testing.T) {
	privileged.Need(t)
	if err := rlimit.RemoveMemlock(); err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]ebpf.MapType{"of_hash": ebpf.Hash, "of_lru": ebpf.LRUHash, "of_each_cpu": ebpf.PerCPUHash, "of_array": ebpf.Array} {
		m, err := ebpf.NewMap(&ebpf.MapSpec{Name: name, Type: kind, KeySize: 4, ValueSize: 8, MaxEntries: 1000})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for key := range uint32(7) {
			value := any(uint64(key))
			if kind == ebpf.PerCPUHash {
				value = make([]uint64, ebpf.MustPossibleCPU())
			}
			if err := m.Put(key, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	full, err := ebpf.NewMap(&ebpf.MapSpec{Name: "full", Type: ebpf.Hash, KeySize: 4, ValueSize: 4, MaxEntries: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	if err := full.Put(uint32(1), uint32(1)); err != nil {
		t.Fatal(err)
	}
	list, err := Of(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Usage{}
	for _, usage := range list {
		found[usage.Map] = usage
	}
	for name, want := range map[string]Usage{
		"of_hash": {"of_hash", "Hash", 1000, 7}, "of_lru": {"of_lru", "LRUHash", 1000, 7}, "of_each_cpu": {"of_each_cpu", "PerCPUHash", 1000, 7}, "full": {"full", "Hash", 1, 1},
	} {
		if found[name] != want {
			t.Errorf("%s: %+v, want %+v", name, found[name], want)
		}
	}
	if _, has := found["of_array"]; has {
		t.Error("an array has a fixed size")
	}
}
