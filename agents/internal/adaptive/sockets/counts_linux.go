package sockets

import (
	"fmt"

	"fairlead.dev/agents/internal/adaptive/program"
)

// EachCount passes the counts of each node of each service, by the service's number and the node's name. It takes one
// read of the kernel, so it can be called many times a second. The function must not use the engine.
func (e *Engine) EachCount(each func(number uint16, node string, counts Counts)) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	places, err := first[use](e.maps[program.SocketsMapPlaceUses], e.places.next)
	if err != nil {
		return fmt.Errorf("read the counts of nodes: %w", err)
	}
	for number, slots := range e.names {
		for node, slot := range slots {
			each(number, node, countsOf(places[slot]))
		}
	}
	return nil
}

// Cgroup contains the processes whose connections are distributed.
func (e *Engine) Cgroup() string { return e.options.Cgroup }
