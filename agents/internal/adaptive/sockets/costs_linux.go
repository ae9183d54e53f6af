package sockets

import (
	"fmt"
	"iter"
	"math"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
	"fairlead.dev/agents/internal/boottime"
)

// Cost is what one more request of a service costs at a node.
type Cost struct {
	Service uint16 // its number
	Node    string
	At      time.Time // when the figures arrived that it was computed from
	*policy.Cost
}

// SetCosts stores costs, one after the other: what a Cost points to may change afterwards. Those of services and nodes
// that aren't set are left out. A node keeps its previous cost until it has another one, or until that is too old. The
// iterator must not use the engine.
func (e *Engine) SetCosts(costs iter.Seq[Cost]) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	now, boot := time.Now(), boottime.Now()
	if err := e.readEntered(now); err != nil {
		return err
	}
	for cost := range costs {
		slot, known := e.names[cost.Service][cost.Node]
		if !known {
			continue
		}
		entry := toCost(&cost, boot-now.Sub(cost.At))
		attribute(&entry, e.entered.at(slot, cost.At))
		if err := e.costs.write(slot, &entry); err != nil {
			return fmt.Errorf("store the costs of nodes: %w", err)
		}
	}
	return nil
}

func toCost(cost *Cost, at time.Duration) costEntry {
	return costEntry{
		WrittenAt: uint64(max(at, 1)), Fixed: cost.Fixed, Others: cost.Others, Mine: cost.Mine, Answers: cost.Answers, Spread: cost.Spread,
		Steps: cost.Steps, Slope: cost.Slope, PerConnection: cost.PerConnection, Open: cost.Open,
	}
}

// attribute counts requests of so many connections for this node, instead of for others. Where connections last, the
// figures count for all nodes alike.
func attribute(c *costEntry, connections uint64) {
	if c.Answers == math.MaxUint32 {
		return
	}
	moved := uint32(min(connections<<8, uint64(c.Others)))
	c.Others -= moved
	c.Mine += moved
}
