package sockets

import (
	"cmp"
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/adaptive/program"
	"fairlead.dev/agents/internal/balancer/datapath"
)

// state is what the maps contain of services.
type state struct {
	services map[serviceKey]serviceEntry
	places   map[uint32]placeEntry   // by slot
	backends map[uint32]backendEntry // by slot; also removed ones that still have connections

	// Of these, by slot, what services have. The rest is removed once it has no connections.
	wantedPlaces, wantedBackends map[uint32]bool
}

func newState() *state {
	return &state{
		services: map[serviceKey]serviceEntry{}, places: map[uint32]placeEntry{}, backends: map[uint32]backendEntry{},
		wantedPlaces: map[uint32]bool{}, wantedBackends: map[uint32]bool{},
	}
}

type placeID struct {
	service serviceKey
	node    uint64
}

type backendID struct {
	place   uint32
	address netip.AddrPort
}

// planner calculates the next state from the previous one. Places and backends keep their slots.
type planner struct {
	local            string
	now              time.Time
	places, backends *slots
	placeOf          map[placeID]uint32
	backendOf        map[backendID]uint32
	next             *state
}

// plan returns the next state, in which removed places and backends have no new connections. To the
// failures of services it adds those for which there is no room. They stay as they were before.
func plan(
	before *state, services []Service, failures []datapath.Failure, local string, places, backends *slots, now time.Time,
) (*state, []datapath.Failure) {
	p := &planner{
		local: local, now: now, places: places, backends: backends,
		placeOf: map[placeID]uint32{}, backendOf: map[backendID]uint32{}, next: newState(),
	}
	for slot, place := range before.places {
		p.placeOf[placeID{place.Service, place.Node}] = slot
		place.Weight, place.Regular, place.Count, place.Members = 0, 0, 0, [len(place.Members)]uint16{}
		p.next.places[slot] = place
	}
	for slot, backend := range before.backends {
		p.backendOf[backendID{uint32(backend.Place), addressOfBackend(backend)}] = slot
		backend.Up = 0
		p.next.backends[slot] = backend
	}
	for i := range failures {
		failures[i].Previous = failures[i].Previous || p.restore(before, program.ToServiceKey(failures[i].Service))
	}
	for i := range services {
		if err := p.add(&services[i]); err != nil {
			previous := p.restore(before, program.ToServiceKey(services[i].Key))
			failures = append(failures, datapath.Failure{Service: services[i].Key, Reason: err.Error(), Previous: previous})
		}
	}
	return p.next, failures
}

func (p *planner) add(service *Service) error {
	byNode := map[string][]Backend{}
	for _, b := range service.Backends {
		byNode[b.Node] = append(byNode[b.Node], b)
	}
	entry := serviceEntry{Number: uint32(service.Number)}
	key := program.ToServiceKey(service.Key)
	var regular, standby []uint16
	for _, node := range slices.Sorted(maps.Keys(byNode)) {
		slot, err := p.addPlace(key, node, byNode[node])
		if err != nil {
			return fmt.Errorf("can't have node %s: %w", node, err)
		}
		switch place := p.next.places[slot]; {
		case place.Count == 0: // all are down
		case node == p.local:
			entry.Local, entry.LocalRegular = uint16(slot), min(place.Regular, 1)
		case place.Regular > 0:
			regular = append(regular, uint16(slot))
		default:
			standby = append(standby, uint16(slot))
		}
	}
	others := slices.Concat(regular, standby)
	if most := len(entry.Others); len(others) > most {
		return fmt.Errorf("has backends at %d other nodes: at most %d are possible", len(others), most)
	}
	entry.Regular, entry.Count = uint16(len(regular)), uint16(len(others))
	copy(entry.Others[:], others)
	p.next.services[key] = entry
	return nil
}

func (p *planner) addPlace(service serviceKey, node string, backends []Backend) (slot uint32, err error) {
	id := placeID{service, hashOf(node)}
	slot, known := p.placeOf[id]
	if !known {
		if slot, err = p.places.take(p.now); err != nil {
			return 0, err
		}
		p.placeOf[id] = slot
	}
	place := placeEntry{Node: id.node, Service: service}
	p.next.places[slot], p.next.wantedPlaces[slot] = place, true
	// Regular ones first; of each kind in the order of their addresses, so that equal services
	// have equal entries.
	backends = slices.SortedFunc(slices.Values(backends), func(a, b Backend) int {
		return cmp.Or(cmp.Compare(min(b.Weight, 1), min(a.Weight, 1)), a.Address.Compare(b.Address))
	})
	for _, b := range backends {
		member, err := p.addBackend(slot, b)
		if err != nil {
			return 0, err
		}
		if !b.Up {
			continue
		}
		place.Members[place.Count] = uint16(member)
		place.Count++
		if b.Weight > 0 {
			place.Regular++
			place.Weight += uint32(b.Weight)
		}
	}
	p.next.places[slot] = place
	return slot, nil
}

func (p *planner) addBackend(place uint32, b Backend) (slot uint32, err error) {
	id := backendID{place, b.Address}
	slot, known := p.backendOf[id]
	if !known {
		if slot, err = p.backends.take(p.now); err != nil {
			return 0, err
		}
		p.backendOf[id] = slot
	}
	p.next.backends[slot], p.next.wantedBackends[slot] = toBackend(b, place), true
	return slot, nil
}

// restore leaves a service as it was before, and reports whether it was set.
func (p *planner) restore(before *state, service serviceKey) bool {
	entry, was := before.services[service]
	if !was {
		return false
	}
	p.next.services[service] = entry
	for slot, place := range before.places {
		if place.Service == service {
			p.next.places[slot], p.next.wantedPlaces[slot] = place, true
		}
	}
	for slot, backend := range before.backends {
		if before.places[uint32(backend.Place)].Service == service {
			p.next.backends[slot], p.next.wantedBackends[slot] = backend, true
		}
	}
	return true
}

// unused returns the removed places and backends that have no connections any more.
func (s *state) unused(openAtPlace, openAtBackend func(slot uint32) uint64) (places, backends []uint32) {
	used := map[uint32]bool{}
	for slot, backend := range s.backends {
		if s.wantedBackends[slot] || openAtBackend(slot) > 0 {
			used[uint32(backend.Place)] = true
		} else {
			backends = append(backends, slot)
		}
	}
	for slot := range s.places {
		if !s.wantedPlaces[slot] && !used[slot] && openAtPlace(slot) == 0 {
			places = append(places, slot)
		}
	}
	slices.Sort(places)
	slices.Sort(backends)
	return places, backends
}
