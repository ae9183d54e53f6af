package bpf

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"
)

// bygone are entries of a table that shall leave it, as they were read.
type bygone[K any, V comparable] struct {
	keys []K
	read []V
}

func (b *bygone[K, V]) add(key K, value V) {
	b.keys, b.read = append(b.keys, key), append(b.read, value)
}

// takeOut takes them out of their table, except what has changed since it was read:
// a client may begin anew on the same ports at any moment.
func (b *bygone[K, V]) takeOut(from *ebpf.Map) error {
	for i, key := range b.keys {
		var now V
		err := from.Lookup(key, &now)
		if err == nil && now == b.read[i] {
			err = from.Delete(key)
		}
		if err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return fmt.Errorf("take out a flow that is over: %w", err)
		}
	}
	return nil
}
