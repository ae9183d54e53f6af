package pins

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// copied are the maps whose entries survive a change of layout, if their own layout is
// the same or only grew. Events and running timings don't.
var copied = []string{
	program.TcxMapSettingsMap, program.TcxMapServices, program.TcxMapTables, program.TcxMapBackends, program.TcxMapBackendCounts,
	program.TcxMapNatTurns, program.TcxMapRetiredCounts, program.TcxMapDrops, program.TcxMapBackendDrops, program.TcxMapWeights, program.TcxMapBackendWeights, program.TcxMapSteeredFlows, program.TcxMapBackendTimings, program.TcxMapSetupTimings, program.TcxMapFirstByteTimings,
}

// copyState fills the maps of this layout from those of another one.
func copyState(from string, to map[string]*ebpf.Map) error {
	for _, name := range copied {
		if err := copyMap(from, name, to[name]); err != nil {
			return err
		}
	}
	return copyFlows(from, to)
}

// seenAt is where the values of flows have the time of their last packet.
var seenAt = map[string]uintptr{
	program.TcxMapConnections: unsafe.Offsetof(program.FlowEntry{}.Seen), program.TcxMapHalfOpen: unsafe.Offsetof(program.FlowEntry{}.Seen),
	program.TcxMapLearnt: unsafe.Offsetof(program.FlowEntry{}.Seen), program.TcxMapNatFlows: unsafe.Offsetof(program.NatFlow{}.Seen), program.TcxMapNatHalfOpen: unsafe.Offsetof(program.NatFlow{}.Seen),
}

// copyFlows adds the flows that this layout's maps don't have yet, or only with an older
// packet: both programs may have changed a flow since the previous copy.
func copyFlows(from string, to map[string]*ebpf.Map) error {
	for _, name := range program.FlowMaps {
		if err := copyMap(from, name, to[name]); err != nil {
			return err
		}
	}
	return nil
}

// putYounger stores an entry, unless the map has one with a packet that is as young.
func putYounger(to *ebpf.Map, key, value []byte, seen uintptr) error {
	err := to.Update(key, value, ebpf.UpdateNoExist)
	if !errors.Is(err, ebpf.ErrKeyExist) {
		return err
	}
	var known []byte
	err = to.Lookup(key, &known)
	if err == nil && program.AgeOf(binary.NativeEndian.Uint32(known[seen:]), binary.NativeEndian.Uint32(value[seen:])) <= 0 {
		return nil
	}
	if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return err
	}
	return to.Put(key, value)
}

func copyMap(folder, name string, to *ebpf.Map) error {
	from, err := ebpf.LoadPinnedMap(filepath.Join(folder, name), nil)
	if errors.Is(err, os.ErrNotExist) {
		return nil // that layout had none
	}
	if err != nil {
		return fmt.Errorf("open map %s of a former layout: %w", name, err)
	}
	defer from.Close()
	if from.Type() != to.Type() || from.KeySize() != to.KeySize() || from.ValueSize() != to.ValueSize() && !slices.Contains(program.FormerSizes[name], from.ValueSize()) {
		return nil // its values can't be read
	}
	more := make([]byte, to.ValueSize()-from.ValueSize())
	var key []byte
	iterator := from.Iterate()
	if from.Type() == ebpf.PerCPUArray {
		return copyPerCPU(from, to, more)
	}
	var value []byte
	for iterator.Next(&key, &value) {
		if from.Type() == ebpf.ArrayOfMaps {
			if err := copyInner(key, value, to); err != nil {
				return fmt.Errorf("copy map %s: %w", name, err)
			}
			continue
		}
		put := func() error { return to.Put(key, slices.Concat(value, more)) }
		if seen, isFlow := seenAt[name]; isFlow {
			put = func() error { return putYounger(to, key, slices.Concat(value, more), seen) }
		}
		if err := put(); err != nil {
			return fmt.Errorf("copy map %s: %w", name, err)
		}
	}
	// Entries may be deleted by packets during the walk: then some are visited twice,
	// which is harmless.
	if err := iterator.Err(); err != nil && !errors.Is(err, ebpf.ErrIterationAborted) {
		return fmt.Errorf("copy map %s: %w", name, err)
	}
	return nil
}

// copyInner skips tables of another layout: the first Set recreates them, before a packet
// needs them.
func copyInner(key, value []byte, to *ebpf.Map) error {
	spec, err := program.LoadTcx()
	if err != nil {
		return err
	}
	inner, err := ebpf.NewMapFromID(ebpf.MapID(binary.NativeEndian.Uint32(value)))
	if err != nil {
		return nil // it is gone by now
	}
	defer inner.Close()
	if inner.ValueSize() != spec.Maps[program.TcxMapTables].InnerMap.ValueSize {
		return nil
	}
	return to.Put(key, inner)
}

func copyPerCPU(from, to *ebpf.Map, more []byte) error {
	for index := range min(from.MaxEntries(), to.MaxEntries()) {
		var perCPU [][]byte
		if err := from.Lookup(index, &perCPU); err != nil {
			return fmt.Errorf("copy counts: %w", err)
		}
		for i := range perCPU {
			perCPU[i] = slices.Concat(perCPU[i], more)
		}
		if err := to.Put(index, perCPU); err != nil {
			return fmt.Errorf("copy counts: %w", err)
		}
	}
	return nil
}
