package sockets

import "fmt"

// EachCount passes the counts of each node of each service, by the service's number and the node's name. It takes no
// system call, so it can be called many times a second. The function must not use the engine.
func (e *Engine) EachCount(each func(number uint16, node string, counts Counts)) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	for number, slots := range e.names {
		for node, slot := range slots {
			var of use
			if err := e.placeUses.read(slot, &of); err != nil {
				return fmt.Errorf("read the counts of nodes: %w", err)
			}
			each(number, node, countsOf(of))
		}
	}
	return nil
}

// Cgroup contains the processes whose connections are distributed.
func (e *Engine) Cgroup() string { return e.options.Cgroup }
