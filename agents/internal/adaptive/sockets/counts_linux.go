package sockets

import (
	"cmp"
	"fmt"
	"slices"
)

// counted is a slot of places that EachCount reads.
type counted struct {
	number uint16 // of its service
	node   string
	slot   uint32
}

// countedOf is in the order of EachCount.
func countedOf(names map[uint16]map[string]uint32) (all []counted) {
	for number, slots := range names {
		for node, slot := range slots {
			all = append(all, counted{number, node, slot})
		}
	}
	slices.SortFunc(all, func(a, b counted) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.node, b.node))
	})
	return all
}

// EachCount passes the counts of each node of each service, sorted by the service's number and then by the node's name.
// It takes no system call, so it can be called many times a second. The function must not use the engine.
func (e *Engine) EachCount(each func(number uint16, node string, counts Counts)) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for i := range e.counted {
		one := &e.counted[i]
		var of use
		if err := e.placeUses.read(one.slot, &of); err != nil {
			return fmt.Errorf("read the counts of nodes: %w", err)
		}
		each(one.number, one.node, countsOf(of))
	}
	return nil
}

// Cgroup contains the processes whose connections are distributed.
func (e *Engine) Cgroup() string { return e.options.Cgroup }
