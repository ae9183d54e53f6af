package bpf

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// ofBackend is data that programs record for a backend only when it occurs.
type ofBackend struct {
	drops map[string]uint64
	took  [2]datapath.Histogram // by TcxTiming
}

// readOfBackends reads it by incarnation, and deletes that of removed backends.
func (e *Engine) readOfBackends() (map[uint32]*ofBackend, error) {
	all := make(map[uint32]*ofBackend, len(e.model.Slots))
	for _, b := range e.model.Slots {
		all[b.Entry.Incarnation] = &ofBackend{}
	}
	err := readEach(e.maps[program.TcxMapBackendDrops], func(key program.DropKey, count uint64) bool {
		of := all[key.Incarnation]
		if of == nil {
			return false
		}
		if of.drops == nil {
			of.drops = map[string]uint64{}
		}
		of.drops[program.DropReasons[key.Reason]] = count
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read drops of backends: %w", err)
	}
	err = readEach(e.maps[program.TcxMapBackendTimings], func(key program.TimingKey, took program.Timings) bool {
		of := all[key.Incarnation]
		if of == nil {
			return false
		}
		of.took[key.Timing] = took.Bucket
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("read timings of backends: %w", err)
	}
	return all, nil
}

// readEach reads a map, and deletes what isn't kept.
func readEach[K, V any](m *ebpf.Map, keep func(K, V) bool) error {
	var gone []K
	err := program.InBatches(m, func(key K, value V) {
		if !keep(key, value) {
			gone = append(gone, key)
		}
	})
	if err != nil {
		return err
	}
	for _, key := range gone {
		if err := m.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete data of a removed backend: %w", err)
		}
	}
	return nil
}
