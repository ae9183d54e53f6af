package bpf

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// kernelState is the current content of the maps, from any writer.
type kernelState struct {
	settings settings
	services map[serviceKey]serviceEntry
	backends []backendEntry // by slot
	tables   map[uint32]uint32
}

// readKernel reads this many slots of backends.
func readKernel(maps map[string]*ebpf.Map, slots int) (*kernelState, error) {
	k := &kernelState{services: map[serviceKey]serviceEntry{}, backends: make([]backendEntry, slots), tables: map[uint32]uint32{}}
	if err := maps[TcxMapSettingsMap].Lookup(uint32(0), &k.settings); err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	var key serviceKey
	var entry serviceEntry
	iterator := maps[TcxMapServices].Iterate()
	for iterator.Next(&key, &entry) {
		k.services[key] = entry
	}
	if err := iterator.Err(); err != nil {
		return nil, fmt.Errorf("read the services: %w", err)
	}
	keys := make([]uint32, slots)
	var cursor ebpf.MapBatchCursor
	_, err := maps[TcxMapBackends].BatchLookup(&cursor, keys, k.backends, nil)
	if errors.Is(err, ebpf.ErrKeyNotExist) {
		err = nil // it was the last slot
	}
	if err != nil {
		return nil, fmt.Errorf("read the backends: %w", err)
	}
	err = inBatches(maps[TcxMapTables], func(slot uint32, id uint32) { k.tables[slot] = id })
	if err != nil {
		return nil, fmt.Errorf("read the tables: %w", err)
	}
	return k, nil
}

// recall returns what a former process had set: numbers that flows refer to must not
// change.
func recall(maps map[string]*ebpf.Map) (*model, error) {
	k, err := readKernel(maps, int(noBackend))
	if err != nil {
		return nil, err
	}
	m := newModel()
	m.nextIncarnation = max(m.nextIncarnation, k.settings.NextIncarnation)
	for key, entry := range k.services {
		if isAddress(key) {
			continue
		}
		s := &service{Service: datapath.Service{Key: fromServiceKey(key)}, entry: entry}
		m.services = append(m.services, s)
		m.byKey[s.Key] = s
	}
	for slot, entry := range k.backends {
		if entry.Incarnation == 0 {
			continue
		}
		m.slots[uint16(slot)] = &backend{entry: entry, slot: uint16(slot), hop: hopOf(entry)}
		m.nextIncarnation = max(m.nextIncarnation, entry.Incarnation+1)
	}
	return m, nil
}
