package bpf

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
)

// stale holds entries to delete from a table, as they were read.
type stale[K any, V comparable] struct {
	table *ebpf.Map
	keys  []K
	read  []V
}

func (b *stale[K, V]) add(key K, value V) {
	b.keys, b.read = append(b.keys, key), append(b.read, value)
}

// deleteUnchanged deletes them, except those that changed since they were read: a client
// may reuse the same ports at any moment.
func (b *stale[K, V]) deleteUnchanged() error {
	for i, key := range b.keys {
		var now V
		err := b.table.Lookup(key, &now)
		if err == nil && now == b.read[i] {
			err = b.table.Delete(key)
		}
		if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete an expired flow: %w", err)
		}
	}
	return nil
}
