package sockets

import (
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Reconcile makes the counts of open connections equal to the sockets and connections from outside that exist, and returns how many
// connections were counted wrongly. It reads each socket once, so call it only as often as that is a small share of the time.
func (e *Engine) Reconcile() (corrected uint64, err error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	before, err := e.uses()
	if err != nil {
		return 0, err
	}
	places, backends := map[uint32]uint64{}, map[uint32]uint64{}
	sockets, err := e.list()
	if err != nil {
		return 0, err
	}
	for i := range sockets {
		places[uint32(sockets[i].Place)]++
		backends[uint32(sockets[i].Backend)]++
	}
	if err := e.addEntered(places, backends); err != nil {
		return 0, err
	}
	after, err := e.uses()
	if err != nil {
		return 0, err
	}
	for slot := range e.state.places {
		by := drift(before.places[slot], after.places[slot], places[slot])
		if err := e.correct(program.SocketsCorrection{Place: slot, Opened: by.opened, Closed: by.closed}); err != nil {
			return corrected, err
		}
		corrected += by.opened + by.closed
	}
	for slot := range e.state.backends {
		by := drift(before.backends[slot], after.backends[slot], backends[slot])
		if err := e.correct(program.SocketsCorrection{Backend: slot, Opened: by.opened, Closed: by.closed}); err != nil {
			return corrected, err
		}
	}
	return corrected, e.free()
}

// addEntered adds the connections from outside that balancers of this node have placed.
func (e *Engine) addEntered(places, backends map[uint32]uint64) error {
	err := bpf.InBatches(e.maps[program.SocketsMapEntryFlows], func(_ program.EntryKey, flow program.EntryFlow) {
		places[uint32(flow.Place)]++
		backends[uint32(flow.Backend)]++
	})
	if err != nil {
		return fmt.Errorf("list connections from outside: %w", err)
	}
	return nil
}

func (e *Engine) correct(by program.SocketsCorrection) error {
	if by.Opened == 0 && by.Closed == 0 {
		return nil
	}
	if _, err := e.programs[program.SocketsProgCorrectUse].Run(&ebpf.RunOptions{Context: by}); err != nil {
		return fmt.Errorf("correct the count of connections: %w", err)
	}
	return nil
}
