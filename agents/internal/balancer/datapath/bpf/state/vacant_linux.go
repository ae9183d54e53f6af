package bpf

import (
	"fmt"

	"github.com/cilium/ebpf"
)

// vacant is the table for slots without a service, created when first needed.
type vacant struct {
	table *ebpf.Map
	id    uint32 // 0 until then
}

// takePlaces puts it into slots, all in one step.
func (v *vacant) takePlaces(outer *ebpf.Map, slots []uint32) error {
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

func (v *vacant) make() error {
	if v.table != nil {
		return nil
	}
	spec, err := LoadTcx()
	if err != nil {
		return err
	}
	var t tables
	empty := &service{}
	if err := t.add(spec.Maps[TcxMapTables].InnerMap, empty, empty.build(nil)); err != nil {
		t.close()
		return err
	}
	v.table, v.id = t.maps[0], empty.table
	return nil
}

func (v *vacant) close() {
	if v.table != nil {
		_ = v.table.Close()
	}
}
