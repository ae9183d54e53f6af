package bpf

import (
	"errors"
	"fmt"
	"slices"

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
	if s == nil || !s.Chooser.Draws() {
		return fmt.Errorf("weigh backends of service %s: it is not set, or has no private chooser", service)
	}
	e.weights[service] = weights
	_, err := e.putPicks(s)
	return err
}

// putWeights stores the weights of services with a private chooser, before packets need
// them.
func (e *Engine) putWeights(_, next *state.Model, _ *state.Kernel) (changes int, err error) {
	for _, s := range next.Services {
		if !s.Chooser.Draws() {
			continue
		}
		if e.weights[s.Key] == nil {
			e.recallWeightsOf(s)
		}
		changed, err := e.putPicks(s)
		if err != nil {
			return changes, err
		}
		changes += changed
	}
	return changes, nil
}

// recallWeightsOf continues with the weights that a former process had set.
func (e *Engine) recallWeightsOf(s *state.Service) {
	weights := map[string]uint32{}
	for _, b := range s.Placed {
		if one, weighed := e.weighed[b.Slot]; weighed && one.Incarnation == b.Entry.Incarnation {
			weights[b.ID] = one.Weight
		}
	}
	if len(weights) > 0 {
		e.weights[s.Key] = weights
	}
}

// recallWeights reads all weights that a former process had set.
func recallWeights(maps map[string]*ebpf.Map) (map[uint16]program.BackendWeight, error) {
	weighed := map[uint16]program.BackendWeight{}
	err := program.InBatches(maps[program.TcxMapBackendWeights], func(slot uint32, one program.BackendWeight) {
		if one.Incarnation != 0 {
			weighed[uint16(slot)] = one
		}
	})
	if err != nil {
		return nil, fmt.Errorf("read the weights of backends: %w", err)
	}
	return weighed, nil
}

func (e *Engine) putPicks(s *state.Service) (changes int, err error) {
	if err := e.storeWeights(s); err != nil {
		return 0, err
	}
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
	if s.Chooser == datapath.ByCost {
		useStandby(backends)
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

// useStandby gives backends without a weight one if no other takes connections.
func useStandby(backends []state.Weighed) {
	if slices.ContainsFunc(backends, func(b state.Weighed) bool { return b.Weight > 0 }) {
		return
	}
	for i := range backends {
		backends[i].Weight = 1
	}
}

// storeWeights stores what Weigh has set for a service's backends, for the next process: the
// picks lack backends that are down or have no weight.
func (e *Engine) storeWeights(s *state.Service) error {
	changed := map[uint16]program.BackendWeight{}
	for _, b := range s.Placed {
		var one program.BackendWeight
		if weight, weighed := e.weights[s.Key][b.ID]; weighed {
			one = program.BackendWeight{Incarnation: b.Entry.Incarnation, Weight: weight}
		}
		if e.weighed[b.Slot] != one {
			changed[b.Slot] = one
		}
	}
	return e.writeWeights(changed)
}

func (e *Engine) writeWeights(changed map[uint16]program.BackendWeight) error {
	if len(changed) == 0 {
		return nil
	}
	slots, entries := make([]uint32, 0, len(changed)), make([]program.BackendWeight, 0, len(changed))
	for slot, one := range changed {
		slots, entries = append(slots, uint32(slot)), append(entries, one)
	}
	if _, err := e.maps[program.TcxMapBackendWeights].BatchUpdate(slots, entries, nil); err != nil {
		return fmt.Errorf("store the weights of %d backends: %w", len(slots), err)
	}
	for slot, one := range changed {
		e.weighed[slot] = one
	}
	return nil
}

// dropWeights forgets the weights of services that are gone, or no longer have a private
// chooser. That is no change: no packet needs them any more.
func (e *Engine) dropWeights(_, next *state.Model, _ *state.Kernel) (changes int, err error) {
	used := map[uint32]bool{}
	for _, s := range next.Services {
		used[s.Entry.Slot] = s.Chooser.Draws()
	}
	for key := range e.weights {
		if s := next.ByKey[key]; s == nil || !s.Chooser.Draws() {
			delete(e.weights, key)
		}
	}
	over := map[uint16]program.BackendWeight{}
	for slot, one := range e.weighed {
		if b := next.Slots[slot]; one.Incarnation != 0 && (b == nil || !used[uint32(b.Entry.Service)]) {
			over[slot] = program.BackendWeight{}
		}
	}
	return 0, errors.Join(e.writeWeights(over), dropPicks(e.maps[program.TcxMapWeights], used))
}

// dropPicks deletes the weights of all slots of services but the used ones. It reads only the
// keys, because the values are large.
func dropPicks(all *ebpf.Map, used map[uint32]bool) error {
	var slots []uint32
	var after any
	for {
		var slot uint32
		err := all.NextKey(after, &slot)
		if errors.Is(err, ebpf.ErrKeyNotExist) {
			break
		}
		if err != nil {
			return fmt.Errorf("list the weights of services: %w", err)
		}
		if after = slot; !used[slot] {
			slots = append(slots, slot)
		}
	}
	for _, slot := range slots {
		if err := all.Delete(slot); err != nil {
			return fmt.Errorf("forget weights of slot %d: %w", slot, err)
		}
	}
	return nil
}
