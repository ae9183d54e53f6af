package sockets

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// Observed is what the programs counted.
type Observed struct {
	Services  []ServiceCounts // in the order of Set
	Decisions []Decision      // the newest sampled ones, the oldest first
	Warnings  []string        // current problems for an operator, a sentence each
}

// ServiceCounts counts since the service was set, also while no agent runs.
type ServiceCounts struct {
	Key     datapath.Key
	Refused uint64       // connections for which no backend was up
	Nodes   []NodeCounts // sorted by name; also removed ones that still have connections
}

// NodeCounts are the connections of this node to the backends at a node.
type NodeCounts struct {
	Node     string
	Counts   Counts
	Entered  Counts          // of these, those from outside that balancers of this node have placed; without failures
	Backends []BackendCounts // sorted by address; also removed ones that still have connections
}

// BackendCounts are the connections of this node to a backend.
type BackendCounts struct {
	Address netip.AddrPort
	Counts  Counts
}

func countsOf(u use) Counts { return Counts{Open: openOf(u), Chosen: u.Opened, Failures: u.Failures} }

// Observe reads the counts and the sampled decisions.
func (e *Engine) Observe() (out Observed, err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	uses, err := e.uses()
	if err != nil {
		return out, err
	}
	byPlace := map[uint32][]BackendCounts{}
	for slot, backend := range e.state.backends {
		place := uint32(backend.Place)
		byPlace[place] = append(byPlace[place], BackendCounts{addressOfBackend(backend), countsOf(uses.backends[slot])})
	}
	byService := map[serviceKey][]NodeCounts{}
	for slot, place := range e.state.places {
		backends := byPlace[slot]
		slices.SortFunc(backends, func(a, b BackendCounts) int { return a.Address.Compare(b.Address) })
		entered, err := e.enteredAt(slot)
		if err != nil {
			return out, err
		}
		byService[place.Service] = append(byService[place.Service], NodeCounts{e.nameOf(place.Node), countsOf(uses.places[slot]), entered, backends})
	}
	refused, err := first[serviceUse](e.maps[program.SocketsMapServiceUses], uint32(program.LastNumber)+1)
	if err != nil {
		return out, fmt.Errorf("read the counts of services: %w", err)
	}
	for _, service := range e.services {
		nodes := byService[program.ToServiceKey(service.Key)]
		slices.SortFunc(nodes, func(a, b NodeCounts) int { return cmp.Compare(a.Node, b.Node) })
		out.Services = append(out.Services, ServiceCounts{service.Key, refused[service.Number].Refused, nodes})
	}
	if out.Decisions, err = e.decisions(); err != nil {
		return out, err
	}
	out.Warnings = e.warnings()
	return out, nil
}

// nameOf returns a node's name. That of a node which was removed before this process started isn't known.
func (e *Engine) nameOf(hash uint64) string {
	if name, known := e.nodes[hash]; known {
		return name
	}
	return fmt.Sprintf("former node %016x", hash)
}
