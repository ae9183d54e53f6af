package bpf

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/cilium/ebpf"
)

// apply updates the kernel to the model. It adds new state first and removes old state
// last, so a packet always finds a whole service.
func (e *Engine) apply(ctx context.Context, next *model) (changes int, err error) {
	kernel, err := readKernel(e.maps, max(e.model.highest(), next.highest())+1)
	if err != nil {
		return 0, err
	}
	tables, err := makeTables(ctx, e.model, next, kernel.tables)
	if err != nil {
		return 0, err
	}
	defer tables.close()

	// From here on failures are unexpected, and the next Set repairs them.
	before := e.model
	e.have(next)
	steps := []func(*model, *model, *kernelState) (int, error){
		e.putSettings, e.putBackends, func(*model, *model, *kernelState) (int, error) { return tables.swap(e.maps[TcxMapTables]) },
		e.putServices, e.dropBackends,
	}
	defer e.published.swap()
	for _, step := range steps {
		changed, err := step(before, next, kernel)
		changes += changed
		if err != nil {
			return changes, err
		}
	}
	e.letGo(before, next, tables.moved)
	return changes, nil
}

func (e *Engine) putSettings(_, next *model, k *kernelState) (changes int, err error) {
	wanted := settings{
		Source4: toAddress(e.network.sources[0]), Source6: toAddress(e.network.sources[1]),
		NextIncarnation: next.nextIncarnation,
		NatTurn:         k.settings.NatTurn, Interface: uint32(e.network.index), Hardware: [6]uint8(e.network.hardware),
	}
	if next.translates() {
		wanted.NatFirst, wanted.NatPorts = e.network.natFirst, e.network.natPorts
	}
	was := k.settings
	if was == (settings{}) {
		// A backend may still have connections on the ports of a former replica at our
		// address.
		wanted.NatTurn = rand.Uint32()
	}
	if wanted == was {
		return 0, nil
	}
	if err := e.maps[TcxMapSettingsMap].Put(uint32(0), wanted); err != nil {
		return 0, fmt.Errorf("write the settings: %w", err)
	}
	was.NextIncarnation = wanted.NextIncarnation
	if k.settings == (settings{}) || wanted == was {
		return 0, nil // internal state only
	}
	return 1, nil
}

func (e *Engine) putBackends(before, next *model, k *kernelState) (changes int, err error) {
	var slots []uint32
	var entries []backendEntry
	for slot, b := range next.slots {
		if k.backends[slot] == b.entry {
			continue
		}
		if old, ok := before.slots[slot]; !ok || old.entry.Incarnation != b.entry.Incarnation {
			if err := e.resetCounts(uint32(slot)); err != nil {
				return 0, err
			}
		}
		slots, entries = append(slots, uint32(slot)), append(entries, b.entry)
	}
	if len(slots) == 0 {
		return 0, nil
	}
	if _, err := e.maps[TcxMapBackends].BatchUpdate(slots, entries, nil); err != nil {
		return 0, fmt.Errorf("write %d backends: %w", len(slots), err)
	}
	return len(slots), nil
}

func (e *Engine) putServices(_, next *model, k *kernelState) (changes int, err error) {
	wanted := make(map[serviceKey]serviceEntry, 2*len(next.services))
	for _, s := range next.services {
		key := toServiceKey(s.Key)
		wanted[key] = s.entry
		wanted[serviceKey{Address: key.Address}] = serviceEntry{Delivery: TcxDeliveryDIRECT}
	}
	for key, entry := range wanted {
		if had, ok := k.services[key]; ok && had == entry {
			continue
		}
		if err := putReserved(e.maps[TcxMapServices], key, entry); err != nil {
			return changes, fmt.Errorf("write service %s: %w", fromServiceKey(key), err)
		}
		changes++
	}
	for key := range k.services {
		if _, ok := wanted[key]; ok {
			continue
		}
		if err := e.maps[TcxMapServices].Delete(key); err != nil && !errors.Is(err, ebpf.ErrKeyNotExist) {
			return changes, fmt.Errorf("remove service %s: %w", fromServiceKey(key), err)
		}
		changes++
	}
	return changes, e.dropTables(next, k)
}

// dropTables empties slots without a service. It replaces all of their tables by one
// table without backends at once: each single removal would make the kernel wait for
// every packet in progress.
func (e *Engine) dropTables(next *model, k *kernelState) error {
	used := make(map[uint32]bool, len(next.services))
	for _, s := range next.services {
		used[s.entry.Slot] = true
	}
	var dropped []uint32
	for slot, id := range k.tables {
		if used[slot] || id == e.vacant.id {
			continue
		}
		if err := e.resetService(slot); err != nil {
			return err
		}
		dropped = append(dropped, slot)
	}
	return e.vacant.takePlaces(e.maps[TcxMapTables], dropped)
}

// dropBackends frees the slots that no table refers to any more.
func (e *Engine) dropBackends(before, next *model, k *kernelState) (changes int, err error) {
	if err := e.retire(before, next); err != nil {
		return 0, err
	}
	var slots []uint32
	for slot, entry := range k.backends {
		if _, ok := next.slots[uint16(slot)]; !ok && entry != (backendEntry{}) {
			slots = append(slots, uint32(slot))
		}
	}
	if len(slots) == 0 {
		return 0, nil
	}
	if _, err := e.maps[TcxMapBackends].BatchUpdate(slots, make([]backendEntry, len(slots)), nil); err != nil {
		return 0, fmt.Errorf("remove %d backends: %w", len(slots), err)
	}
	return len(slots), nil
}
