package sockets

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
)

// usage is how places and backends were used, by slot.
type usage struct{ places, backends []use }

// uses reads the slots that were ever given out.
func (e *Engine) uses() (out usage, err error) {
	if out.places, err = first[use](e.maps[program.SocketsMapPlaceUses], e.places.next); err != nil {
		return out, fmt.Errorf("read the counts of nodes: %w", err)
	}
	if out.backends, err = first[use](e.maps[program.SocketsMapBackendUses], e.backends.next); err != nil {
		return out, fmt.Errorf("read the counts of backends: %w", err)
	}
	return out, nil
}

// first returns the first entries of an array.
func first[V any](m *ebpf.Map, n uint32) ([]V, error) {
	keys, values := make([]uint32, n), make([]V, n)
	var cursor ebpf.MapBatchCursor
	got, err := m.BatchLookup(&cursor, keys, values, nil)
	if errors.Is(err, ebpf.ErrKeyNotExist) { // there are no more
		err = nil
	}
	if err == nil && got != int(n) {
		err = fmt.Errorf("%d of %d entries", got, n)
	}
	return values, err
}
