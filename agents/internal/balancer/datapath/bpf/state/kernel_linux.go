package state

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Kernel is the current content of the maps, from any writer.
type Kernel struct {
	Settings program.Settings
	Services map[program.ServiceKey]program.ServiceEntry
	Backends []program.BackendEntry // by slot
	Tables   map[uint32]uint32
}

// ReadKernel reads this many slots of backends.
func ReadKernel(maps map[string]*ebpf.Map, slots int) (*Kernel, error) {
	k := &Kernel{Services: map[program.ServiceKey]program.ServiceEntry{}, Backends: make([]program.BackendEntry, slots), Tables: map[uint32]uint32{}}
	if err := maps[program.TcxMapSettingsMap].Lookup(uint32(0), &k.Settings); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	err := program.InBatches(maps[program.TcxMapServices], func(key program.ServiceKey, entry program.ServiceEntry) { k.Services[key] = entry })
	if err != nil {
		return nil, fmt.Errorf("read the services: %w", err)
	}
	keys := make([]uint32, slots)
	var cursor ebpf.MapBatchCursor
	_, err = maps[program.TcxMapBackends].BatchLookup(&cursor, keys, k.Backends, nil)
	if errors.Is(err, ebpf.ErrKeyNotExist) {
		err = nil // it was the last slot
	}
	if err != nil {
		return nil, fmt.Errorf("read the backends: %w", err)
	}
	err = program.InBatches(maps[program.TcxMapTables], func(slot uint32, id uint32) { k.Tables[slot] = id })
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	return k, nil
}

// Recall returns what a former process had set: numbers that flows refer to must not
// change.
func Recall(maps map[string]*ebpf.Map) (*Model, error) {
	k, err := ReadKernel(maps, int(program.NoBackend))
	if err != nil {
		return nil, err
	}
	m := NewModel()
	m.NextIncarnation = max(m.NextIncarnation, k.Settings.NextIncarnation)
	for key, entry := range k.Services {
		if program.IsAddress(key) {
			continue
		}
		s := &Service{Service: datapath.Service{Key: program.FromServiceKey(key)}, Entry: entry}
		m.Services = append(m.Services, s)
		m.ByKey[s.Key] = s
	}
	for slot, entry := range k.Backends {
		if entry.Incarnation == 0 {
			continue
		}
		m.Slots[uint16(slot)] = &Backend{Entry: entry, Slot: uint16(slot), Hop: HopOf(entry)}
		m.NextIncarnation = max(m.NextIncarnation, entry.Incarnation+1)
	}
	return m, nil
}
