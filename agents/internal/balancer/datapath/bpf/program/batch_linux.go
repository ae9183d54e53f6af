package program

import (
	"errors"

	"github.com/cilium/ebpf"
)

// batchBytes is about how much one system call reads of a map.
const batchBytes = 1 << 19

// InBatches reads a whole map with few system calls.
func InBatches[K, V any](m *ebpf.Map, each func(K, V)) error {
	return EachBatch(m, func(keys []K, values []V) error {
		for i := range keys {
			each(keys[i], values[i])
		}
		return nil
	})
}

// EachBatch is inBatches for a function that handles many entries at once. It must not keep
// the slices.
func EachBatch[K, V any](m *ebpf.Map, each func([]K, []V) error) error {
	chunk := max(256, batchBytes/int(m.KeySize()+m.ValueSize()))
	keys, values := make([]K, chunk), make([]V, chunk)
	var cursor ebpf.MapBatchCursor
	for {
		n, err := m.BatchLookup(&cursor, keys, values, nil)
		if failed := each(keys[:n], values[:n]); failed != nil {
			return failed
		}
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
