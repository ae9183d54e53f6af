package state

import (
	"fmt"

	"github.com/cilium/ebpf"
)

// Vacant is the table for slots without a service, created when first needed.
type Vacant struct {
	table *ebpf.Map
	ID    uint32 // 0 until then
}

// TakePlaces puts it into slots, all in one step.
func (v *Vacant) TakePlaces(outer *ebpf.Map, slots []uint32) error {
	if len(slots) == 0 {
		return nil
	}
	if err := v.make(); err != nil {
		return fmt.Errorf("create the table of vacant slots: %w", err)
	}
	descriptors := make([]uint32, len(slots))
	for i := range descriptors {
		descriptors[i] = uint32(v.table.FD())
	}
	if _, err := outer.BatchUpdate(slots, descriptors, nil); err != nil {
		return fmt.Errorf("vacate %d tables: %w", len(slots), err)
	}
	return nil
}

func (v *Vacant) make() error {
	if v.table != nil {
		return nil
	}
	spec, err := tableSpec()
	if err != nil {
		return err
	}
	var t tables
	empty := &Service{}
	if err := t.add(spec, empty, empty.build(nil)); err != nil {
		t.Close()
		return err
	}
	v.table, v.ID = t.maps[0], empty.Table
	return nil
}

// Close closes the table, which stays in its slots.
func (v *Vacant) Close() {
	if v.table != nil {
		_ = v.table.Close()
	}
}
