package sockets

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/boottime"
)

// Cost is what one more request costs at a node.
type Cost struct {
	policy.Cost
	At time.Time // when the figures arrived that it was computed from
}

// SetCosts stores costs by the service's number and the node's name. Those of services and nodes that aren't
// set are left out. A node keeps its previous cost until it has another one, or until that is too old.
func (e *Engine) SetCosts(costs map[uint16]map[string]Cost) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var slots []uint32
	var entries []costEntry
	now, boot := time.Now(), boottime.Now()
	for service, nodes := range costs {
		for node, cost := range nodes {
			if slot, known := e.names[service][node]; known {
				slots = append(slots, slot)
				entries = append(entries, toCost(cost, boot-now.Sub(cost.At)))
			}
		}
	}
	if len(slots) == 0 {
		return nil
	}
	if _, err := e.maps[program.SocketsMapCosts].BatchUpdate(slots, entries, nil); err != nil {
		return fmt.Errorf("store the costs of nodes: %w", err)
	}
	return nil
}

func toCost(cost Cost, at time.Duration) costEntry {
	return costEntry{
		WrittenAt: uint64(max(at, 1)), Fixed: cost.Fixed, Others: cost.Others, Mine: cost.Mine, Answers: cost.Answers, Spread: cost.Spread,
		Steps: cost.Steps, Slope: cost.Slope, PerConnection: cost.PerConnection, Open: cost.Open,
	}
}
