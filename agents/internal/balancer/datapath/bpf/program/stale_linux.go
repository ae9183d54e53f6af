package program

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
)

// Stale holds entries to delete from a table, as they were read.
type Stale[K any, V comparable] struct {
	Table *ebpf.Map
	Keys  []K
	Read  []V
}

// Add adds an entry as it was read.
func (b *Stale[K, V]) Add(key K, value V) {
	b.Keys, b.Read = append(b.Keys, key), append(b.Read, value)
}

// DeleteUnchanged deletes them, except those that changed since they were read: a client
// may reuse the same ports at any moment.
func (b *Stale[K, V]) DeleteUnchanged() error {
	for i, key := range b.Keys {
		var now V
		err := b.Table.Lookup(key, &now)
		if err == nil && now == b.Read[i] {
			err = b.Table.Delete(key)
		}
		if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("delete an expired flow: %w", err)
		}
	}
	return nil
}
