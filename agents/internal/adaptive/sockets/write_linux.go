package sockets

import (
	"fmt"
	"time"

	"github.com/cilium/ebpf"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
	bpf "fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// recall reads what a former process set.
func (e *Engine) recall() error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	iterator := e.maps[program.SocketsMapServices].Iterate()
	var key serviceKey
	var entry serviceEntry
	for iterator.Next(&key, &entry) {
		e.state.services[key] = entry
	}
	err := iterator.Err()
	if err == nil {
		err = bpf.InBatches(e.maps[program.SocketsMapPlaces], func(slot uint32, entry placeEntry) {
			if entry.Node != 0 {
				e.state.places[slot] = entry
			}
		})
	}
	if err == nil {
		err = bpf.InBatches(e.maps[program.SocketsMapBackends], func(slot uint32, entry backendEntry) {
			if entry.Place != 0 {
				e.state.backends[slot] = entry
			}
		})
	}
	if err != nil {
		return fmt.Errorf("read the services of a former process: %w", err)
	}
	now := time.Now()
	e.places = newSlots(uint32(program.SocketsLimitsPLACES), func(slot uint32) bool { return e.state.places[slot].Node != 0 }, now)
	e.backends = newSlots(uint32(program.SocketsLimitsBACKENDS), func(slot uint32) bool { return e.state.backends[slot].Place != 0 }, now)
	return nil
}

// write makes the maps equal to the services. A connection finds either the previous or the next version
// of each: what an entry refers to is written before it, and removed a Set later. Services that failed
// before, of which a former process left a version, keep that one.
func (e *Engine) write(services []Service, failed []datapath.Failure) (changes int, failures []datapath.Failure, err error) {
	next, failures := plan(e.state, services, failed, e.options.Node, &e.places, &e.backends, time.Now())
	before := e.state
	for slot := range next.places {
		if before.places[slot].Node == 0 {
			if err := e.clearPlace(slot); err != nil {
				return 0, nil, err
			}
		}
	}
	for slot := range next.backends {
		if before.backends[slot].Place == 0 {
			if err := e.maps[program.SocketsMapBackendUses].Put(slot, use{}); err != nil {
				return 0, nil, err
			}
		}
	}
	e.state = next // also after an error: no slot may be given out twice
	for _, step := range []func() (int, error){
		func() (int, error) {
			return putChanged(e.maps[program.SocketsMapBackends], before.backends, next.backends)
		},
		func() (int, error) { return putChanged(e.maps[program.SocketsMapPlaces], before.places, next.places) },
		func() (int, error) {
			return putChanged(e.maps[program.SocketsMapServices], before.services, next.services)
		},
		func() (int, error) { return deleteOthers(e.maps[program.SocketsMapServices], next.services) },
	} {
		changed, err := step()
		changes += changed
		if err != nil {
			return changes, nil, err
		}
	}
	e.names, e.nodes = namesOf(services, next), nodesOf(services, next, e.nodes)
	e.counted = countedOf(e.names)
	return changes, failures, e.free()
}

func (e *Engine) clearPlace(slot uint32) error {
	if err := e.maps[program.SocketsMapPlaceUses].Put(slot, use{}); err != nil {
		return err
	}
	if err := e.maps[program.SocketsMapEntryUses].Put(slot, program.EntryUse{}); err != nil {
		return err
	}
	return e.maps[program.SocketsMapCosts].Put(slot, costEntry{})
}

func putChanged[K comparable, V comparable](m *ebpf.Map, before, next map[K]V) (changes int, err error) {
	for key, entry := range next {
		if was, known := before[key]; known && was == entry {
			continue
		}
		if err := m.Put(key, entry); err != nil {
			return changes, err
		}
		changes++
	}
	return changes, nil
}

// deleteOthers lists the map, so that what a former error left is deleted too.
func deleteOthers[V any](m *ebpf.Map, keep map[serviceKey]V) (changes int, err error) {
	var stale []serviceKey
	var key serviceKey
	var entry serviceEntry
	iterator := m.Iterate()
	for iterator.Next(&key, &entry) {
		if _, stays := keep[key]; !stays {
			stale = append(stale, key)
		}
	}
	if err := iterator.Err(); err != nil {
		return 0, err
	}
	for _, key := range stale {
		if err := m.Delete(key); err != nil {
			return changes, err
		}
		changes++
	}
	return changes, nil
}

// free removes what no service has and no connection uses.
func (e *Engine) free() error {
	if len(e.state.places) == len(e.state.wantedPlaces) && len(e.state.backends) == len(e.state.wantedBackends) {
		return nil
	}
	uses, err := e.uses()
	if err != nil {
		return err
	}
	places, backends := e.state.unused(
		func(slot uint32) uint64 { return openOf(uses.places[slot]) },
		func(slot uint32) uint64 { return openOf(uses.backends[slot]) })
	now := time.Now()
	for _, slot := range backends {
		if err := e.maps[program.SocketsMapBackends].Put(slot, backendEntry{}); err != nil {
			return err
		}
		delete(e.state.backends, slot)
		e.backends.free(slot, now)
	}
	for _, slot := range places {
		if err := e.maps[program.SocketsMapPlaces].Put(slot, placeEntry{}); err != nil {
			return err
		}
		delete(e.state.places, slot)
		e.places.free(slot, now)
	}
	return nil
}

// namesOf returns where the costs of each node of a service go.
func namesOf(services []Service, s *state) map[uint16]map[string]uint32 {
	slotOf := map[placeID]uint32{}
	for slot, place := range s.places {
		slotOf[placeID{place.Service, place.Node}] = slot
	}
	out := map[uint16]map[string]uint32{}
	for _, service := range services {
		nodes := map[string]uint32{}
		for _, b := range service.Backends {
			if slot, known := slotOf[placeID{program.ToServiceKey(service.Key), hashOf(b.Node)}]; known {
				nodes[b.Node] = slot
			}
		}
		out[service.Number] = nodes
	}
	return out
}

// nodesOf returns the names of nodes by their hash, also of removed ones that still have connections.
func nodesOf(services []Service, s *state, before map[uint64]string) map[uint64]string {
	out := map[uint64]string{}
	for _, service := range services {
		for _, b := range service.Backends {
			out[hashOf(b.Node)] = b.Node
		}
	}
	for _, place := range s.places {
		if name, known := before[place.Node]; known {
			out[place.Node] = name
		}
	}
	return out
}
