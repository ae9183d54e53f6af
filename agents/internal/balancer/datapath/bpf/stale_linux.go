package bpf

import (
	"errors"
	"fmt"
	"math"

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

// findStale searches a table for expired entries and returns the first most of them. It
// checks every entry.
func findStale[K any, V comparable](e *Engine, table string, most int, isOver func(K, V) bool) (stale[K, V], error) {
	found := stale[K, V]{table: e.maps[table]}
	err := inBatches(found.table, func(key K, value V) {
		if isOver(key, value) && len(found.keys) < most {
			found.add(key, value)
		}
	})
	if err != nil {
		return found, fmt.Errorf("walk %s: %w", table, err)
	}
	return found, nil
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

// clearStale deletes all expired entries.
func clearStale[K any, V comparable](e *Engine, table string, isOver func(K, V) bool) error {
	found, err := findStale(e, table, math.MaxInt, isOver)
	if err != nil {
		return err
	}
	return found.deleteUnchanged()
}
