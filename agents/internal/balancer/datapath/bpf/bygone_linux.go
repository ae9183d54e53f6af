package bpf

import (
	"errors"
	"fmt"
	"math"

	"github.com/cilium/ebpf"
)

// bygone are entries of a table that shall leave it, as they were read.
type bygone[K any, V comparable] struct {
	table *ebpf.Map
	keys  []K
	read  []V
}

func (b *bygone[K, V]) add(key K, value V) {
	b.keys, b.read = append(b.keys, key), append(b.read, value)
}

// findBygone walks a table for entries that are over, of which it returns the first so
// many. It asks about each entry that there is.
func findBygone[K any, V comparable](e *Engine, table string, most int, isOver func(K, V) bool) (bygone[K, V], error) {
	found := bygone[K, V]{table: e.maps[table]}
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

// takeOut takes them out of their table, except what has changed since it was read:
// a client may begin anew on the same ports at any moment.
func (b *bygone[K, V]) takeOut() error {
	for i, key := range b.keys {
		var now V
		err := b.table.Lookup(key, &now)
		if err == nil && now == b.read[i] {
			err = b.table.Delete(key)
		}
		if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("take out a flow that is over: %w", err)
		}
	}
	return nil
}

// clearBygone takes all entries out that are over.
func clearBygone[K any, V comparable](e *Engine, table string, isOver func(K, V) bool) error {
	found, err := findBygone(e, table, math.MaxInt, isOver)
	if err != nil {
		return err
	}
	return found.takeOut()
}
