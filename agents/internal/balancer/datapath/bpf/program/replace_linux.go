package program

import (
	"errors"

	"github.com/cilium/ebpf"
)

// ReplaceAll makes a map have exactly these entries. Those that stay are never missing.
func ReplaceAll[K, V comparable](m *ebpf.Map, wanted map[K]V) error {
	var key K
	var value V
	var stale []K
	has := map[K]V{}
	iterator := m.Iterate()
	for iterator.Next(&key, &value) {
		has[key] = value
		if _, ok := wanted[key]; !ok {
			stale = append(stale, key)
		}
	}
	if err := iterator.Err(); err != nil {
		return err
	}
	for _, key := range stale {
		if err := m.Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return err
		}
	}
	for key, value := range wanted {
		if old, ok := has[key]; ok && old == value {
			continue
		}
		if err := m.Put(key, value); err != nil {
			return err
		}
	}
	return nil
}
