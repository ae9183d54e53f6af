package sockets

import (
	"fmt"

	"fairlead.dev/agents/internal/adaptive/program"
)

// Counts returns those of each node, by the service's number and the node's name. It takes one read of the kernel, so
// it can be called many times a second.
func (e *Engine) Counts() (map[uint16]map[string]Counts, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	places, err := first[use](e.maps[program.SocketsMapPlaceUses], e.places.next)
	if err != nil {
		return nil, fmt.Errorf("read the counts of nodes: %w", err)
	}
	all := make(map[uint16]map[string]Counts, len(e.names))
	for number, slots := range e.names {
		nodes := make(map[string]Counts, len(slots))
		for node, slot := range slots {
			nodes[node] = countsOf(places[slot])
		}
		all[number] = nodes
	}
	return all, nil
}

// Cgroup contains the processes whose connections are distributed.
func (e *Engine) Cgroup() string { return e.options.Cgroup }
