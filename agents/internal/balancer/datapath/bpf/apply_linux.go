package bpf

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/state"
)

// apply updates the kernel to the model. It adds new state first and removes old state
// last, so a packet always finds a whole service.
func (e *Engine) apply(ctx context.Context, next *state.Model) (changes int, err error) {
	kernel, err := state.ReadKernel(e.maps, max(e.model.Highest(), next.Highest())+1)
	if err != nil {
		return 0, err
	}
	tables, err := state.NewTables(ctx, e.model, next, kernel.Tables)
	if err != nil {
		return 0, err
	}
	defer tables.Close()

	// From here on failures are unexpected, and the next Set repairs them.
	before := e.model
	e.have(next)
	steps := []func(*state.Model, *state.Model, *state.Kernel) (int, error){
		e.putSettings, e.putBackends, func(*state.Model, *state.Model, *state.Kernel) (int, error) {
			return tables.Swap(e.maps[program.TcxMapTables])
		},
		e.putWeights, e.putServices, e.dropWeights, e.dropBackends,
	}
	defer e.published.Swap()
	for _, step := range steps {
		changed, err := step(before, next, kernel)
		changes += changed
		if err != nil {
			return changes, err
		}
	}
	e.letGo(before, next, tables.Moved)
	return changes, nil
}

func (e *Engine) putSettings(_, next *state.Model, k *state.Kernel) (changes int, err error) {
	wanted := program.Settings{
		Source4: program.ToAddress(e.network.Sources[0]), Source6: program.ToAddress(e.network.Sources[1]),
		NextIncarnation: next.NextIncarnation,
		NatStart:        k.Settings.NatStart, Interface: uint32(e.network.Index), Hardware: [6]uint8(e.network.Hardware),
		Ways: k.Settings.Ways,
	}
	if next.Translates() {
		wanted.NatFirst, wanted.NatPorts = e.network.NATFirst, e.network.NATPorts
	}
	was := k.Settings
	if was == (program.Settings{}) {
		// A backend may still have connections on the ports of a former replica at our
		// address.
		wanted.NatStart = rand.Uint32()
	}
	if wanted == was {
		return 0, nil
	}
	if err := e.maps[program.TcxMapSettingsMap].Put(uint32(0), wanted); err != nil {
		return 0, fmt.Errorf("write the settings: %w", err)
	}
	was.NextIncarnation = wanted.NextIncarnation
	if k.Settings == (program.Settings{}) || wanted == was {
		return 0, nil // internal state only
	}
	return 1, nil
}

func (e *Engine) putBackends(before, next *state.Model, k *state.Kernel) (changes int, err error) {
	var slots []uint32
	var entries []program.BackendEntry
	for slot, b := range next.Slots {
		if k.Backends[slot] == b.Entry {
			continue
		}
		if old, ok := before.Slots[slot]; !ok || old.Entry.Incarnation != b.Entry.Incarnation {
			if err := e.resetCounts(uint32(slot)); err != nil {
				return 0, err
			}
		}
		slots, entries = append(slots, uint32(slot)), append(entries, b.Entry)
	}
	if len(slots) == 0 {
		return 0, nil
	}
	if err := e.writeBackends(slots, entries); err != nil {
		return 0, fmt.Errorf("write %d backends: %w", len(slots), err)
	}
	return len(slots), nil
}

func (e *Engine) putServices(_, next *state.Model, k *state.Kernel) (changes int, err error) {
	wanted := make(map[program.ServiceKey]program.ServiceEntry, 2*len(next.Services))
	for _, s := range next.Services {
		key := program.ToServiceKey(s.Key)
		wanted[key] = s.Entry
		wanted[program.ServiceKey{Address: key.Address}] = program.ServiceEntry{Delivery: program.TcxDeliveryDIRECT}
	}
	for key, entry := range wanted {
		if had, ok := k.Services[key]; ok && had == entry {
			continue
		}
		if err := program.PutReserved(e.maps[program.TcxMapServices], key, entry); err != nil {
			return changes, fmt.Errorf("write service %s: %w", program.FromServiceKey(key), err)
		}
		changes++
	}
	for key := range k.Services {
		if _, ok := wanted[key]; ok {
			continue
		}
		if err := e.maps[program.TcxMapServices].Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return changes, fmt.Errorf("remove service %s: %w", program.FromServiceKey(key), err)
		}
		changes++
	}
	return changes, e.dropTables(next, k)
}

// dropTables empties slots without a service. It replaces all of their tables by one
// table without backends at once: each single removal would make the kernel wait for
// every packet in progress.
func (e *Engine) dropTables(next *state.Model, k *state.Kernel) error {
	used := make(map[uint32]bool, len(next.Services))
	for _, s := range next.Services {
		used[s.Entry.Slot] = true
	}
	var dropped []uint32
	for slot, id := range k.Tables {
		if used[slot] || id == e.vacant.ID {
			continue
		}
		if err := e.resetService(slot); err != nil {
			return err
		}
		dropped = append(dropped, slot)
	}
	return e.vacant.TakePlaces(e.maps[program.TcxMapTables], dropped)
}

// dropBackends frees the slots that no table refers to any more.
func (e *Engine) dropBackends(before, next *state.Model, k *state.Kernel) (changes int, err error) {
	if err := e.retire(before, next); err != nil {
		return 0, err
	}
	var slots []uint32
	for slot, entry := range k.Backends {
		if _, ok := next.Slots[uint16(slot)]; !ok && entry != (program.BackendEntry{}) {
			slots = append(slots, uint32(slot))
		}
	}
	if len(slots) == 0 {
		return 0, nil
	}
	if err := e.writeBackends(slots, make([]program.BackendEntry, len(slots))); err != nil {
		return 0, fmt.Errorf("remove %d backends: %w", len(slots), err)
	}
	return len(slots), nil
}
