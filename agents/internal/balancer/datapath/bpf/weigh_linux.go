package bpf

import (
	"errors"
	"fmt"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

var _ datapath.Weigher = (*Engine)(nil)

// Weigh implements datapath.Weigher.
func (e *Engine) Weigh(service datapath.Key, weights map[string]uint32) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	s := e.model.ByKey[service]
	if s == nil || s.Chooser != datapath.Private {
		return fmt.Errorf("weigh backends of service %s: it is not set, or has no private chooser", service)
	}
	e.weights[service] = weights
	_, err := e.putPicks(s)
	return err
}

// putWeights stores the weights of services with a private chooser, before packets need
// them, and forgets those of others.
func (e *Engine) putWeights(_, next *state.Model, _ *state.Kernel) (changes int, err error) {
	for key := range e.weights {
		if s := next.ByKey[key]; s == nil || s.Chooser != datapath.Private {
			delete(e.weights, key)
		}
	}
	for _, s := range next.Services {
		if s.Chooser != datapath.Private {
			continue
		}
		changed, err := e.putPicks(s)
		if err != nil {
			return changes, err
		}
		changes += changed
	}
	return changes, nil
}

func (e *Engine) putPicks(s *state.Service) (changes int, err error) {
	var backends []state.Weighed
	for i, b := range s.Backends {
		if s.Placed[i].Entry.Flags&program.BackendTakes == 0 {
			continue
		}
		weight, weighed := e.weights[s.Key][b.ID]
		if !weighed {
			weight = uint32(b.Weight)
		}
		backends = append(backends, state.Weighed{Slot: s.Placed[i].Slot, Weight: weight})
	}
	var before program.Picks
	picks, all := state.PicksOf(backends), e.maps[program.TcxMapWeights]
	err = all.Lookup(s.Entry.Slot, &before)
	if err == nil && before == picks {
		return 0, nil
	}
	if err == nil || errors.Is(err, ebpf.ErrKeyNotExist) {
		err = all.Put(s.Entry.Slot, picks)
	}
	if err != nil {
		return 0, fmt.Errorf("service %s: store the weights of its backends: %w", s.Key, err)
	}
	return 1, nil
}

// dropWeights forgets those of a service's slot.
func (e *Engine) dropWeights(slot uint32) error {
	if err := e.maps[program.TcxMapWeights].Delete(slot); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
		return fmt.Errorf("forget weights of slot %d: %w", slot, err)
	}
	return nil
}
