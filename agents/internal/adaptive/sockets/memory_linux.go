package sockets

import (
	"fmt"
	"unsafe"

	"github.com/cilium/ebpf"
)

// memory is that of an array in the kernel. The programs may change an entry while it is read, and see one half written.
type memory[V any] struct{ *ebpf.Memory }

func memoryOf[V any](array *ebpf.Map) (m memory[V], err error) {
	if m.Memory, err = array.Memory(); err != nil {
		return m, fmt.Errorf("map the memory of %s: %w", array, err)
	}
	return m, nil
}

func (m memory[V]) read(slot uint32, into *V) error {
	content, at := m.entry(slot, into)
	_, err := m.ReadAt(content, at)
	return err
}

func (m memory[V]) write(slot uint32, from *V) error {
	content, at := m.entry(slot, from)
	_, err := m.WriteAt(content, at)
	return err
}

// entry returns the bytes of a value, and where those of the slot are: entries are multiples of 8 bytes.
func (m memory[V]) entry(slot uint32, value *V) (content []byte, at int64) {
	size := unsafe.Sizeof(*value)
	return unsafe.Slice((*byte)(unsafe.Pointer(value)), size), int64(slot) * int64((size+7)&^7)
}
