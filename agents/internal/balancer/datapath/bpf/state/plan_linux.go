package bpf

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// model is the wanted state of the kernel. A Set derives a new one from the previous one,
// so a failed Set leaves nothing half done.
type model struct {
	services        []*service // sorted by key
	byKey           map[datapath.Key]*service
	slots           map[uint16]*backend
	nextIncarnation uint32
	failures        []datapath.Failure // backends without a path
	atAddress       map[netip.Addr][]uint16
}

type service struct {
	datapath.Service
	entry    serviceEntry
	backends []*backend // in the order of Backends
	members  uint64     // hash of the table's input
	table    uint32     // the kernel's id of the inner map; 0 when unknown
	formers  []former   // recent tables
}

type backend struct {
	id      string
	service *service // nil while only recalled
	entry   backendEntry
	slot    uint16
	hop     hop
}

// hopOf returns a backend's next hop when its entry was written.
func hopOf(entry backendEntry) hop {
	if entry.Interface == 0 {
		return noHop
	}
	return hop{next: fromAddress(entry.NextHop), link: int(entry.Interface)}
}

func newModel() *model {
	return &model{byKey: map[datapath.Key]*service{}, slots: map[uint16]*backend{}, nextIncarnation: 1}
}

// slotsAt returns the slots of the backends with an address. Anyone can cause a thousand such questions
// per second, so the slots are indexed by the first.
func (m *model) slotsAt(address netip.Addr) []uint16 {
	if m.atAddress == nil {
		m.atAddress = make(map[netip.Addr][]uint16, len(m.slots))
		for slot, b := range m.slots {
			at := fromAddress(b.entry.Address)
			m.atAddress[at] = append(m.atAddress[at], slot)
		}
	}
	return m.atAddress[address]
}

// highest returns the highest slot in use.
func (m *model) highest() (highest int) {
	for slot := range m.slots {
		highest = max(highest, int(slot))
	}
	return highest
}

// translates reports whether a service needs source ports for NAT.
func (m *model) translates() bool {
	for _, s := range m.services {
		if s.Delivery == datapath.NAT {
			return true
		}
	}
	return false
}

// loses reports whether existing flows may have lost their backend.
func (m *model) loses(next *model) bool {
	for slot, b := range m.slots {
		now, ok := next.slots[slot]
		if !ok || now.entry.Incarnation != b.entry.Incarnation || b.entry.Flags&keeps > now.entry.Flags&keeps {
			return true
		}
	}
	return false
}

// wayTo returns the path to a backend.
type wayTo func(datapath.Service, datapath.Backend) (backendEntry, hop, error)

// paths are those to the backends of one service.
type paths struct {
	entries  []backendEntry
	hops     []hop // without an address where there is no path
	lost     []int // indexes of backends without a path
	failures []datapath.Failure
}

// pathsOf keeps the previous path of a backend that lost it: the path may work again.
// Without any, packets for the backend are dropped; only connections that other replicas
// placed there have some.
func pathsOf(s datapath.Service, alive map[uint64]*backend, way wayTo) (p paths) {
	for i, b := range s.Backends {
		entry, hop, err := way(s, b)
		if err != nil {
			entry, hop = backendEntry{Address: toAddress(b.Address), Port: wire(b.Port)}, noHop
			if old, lives := alive[identityOf(s.Key, b)]; lives {
				entry, hop = old.entry, hopOf(old.entry)
				entry.Flags &= resolved
			}
		}
		if err != nil && b.State != datapath.Inactive {
			p.lost = append(p.lost, i)
			_, ofEngine := errors.AsType[ofEngine](err)
			p.failures = append(p.failures, datapath.Failure{Service: s.Key, Backend: b.ID, Reason: err.Error(), OfEngine: ofEngine, OfRoutes: true})
		}
		p.entries, p.hops = append(p.entries, entry), append(p.hops, hop)
	}
	return p
}

// plan is pure: it returns the next model, given the previous one. Existing objects keep
// slots and ids; new ones get slots that nothing refers to now.
func plan(before *model, wanted []datapath.Service, way wayTo) (*model, error) {
	next := newModel()
	next.nextIncarnation = before.nextIncarnation
	alive := make(map[uint64]*backend, len(before.slots))
	for _, b := range before.slots {
		alive[b.entry.Identity] = b
	}
	serviceSlots := newPool(int(TcxLimitsSERVICES), func(slot int) bool { return false })
	for _, s := range before.services {
		serviceSlots.take(int(s.entry.Slot))
	}
	backendSlots := newPool(int(noBackend), func(slot int) bool { _, taken := before.slots[uint16(slot)]; return taken })

	for _, w := range wanted {
		s := &service{Service: w, entry: serviceEntry{Seed: seedOf(w.Key), Delivery: deliveries[w.Delivery]}}
		if old, ok := before.byKey[w.Key]; ok {
			s.entry.Slot, s.table, s.members, s.formers = old.entry.Slot, old.table, old.members, old.formers
		} else {
			slot, ok := serviceSlots.next()
			if !ok {
				return nil, fmt.Errorf("service %s: all %d slots are taken until the next change: try again", w.Key, TcxLimitsSERVICES)
			}
			s.entry.Slot = uint32(slot)
		}
		paths := pathsOf(w, alive, way)
		w = w.Down(paths.lost...)
		s.Service = w
		next.failures = append(next.failures, paths.failures...)
		for i, wb := range w.Backends {
			identity := identityOf(w.Key, wb)
			old, lives := alive[identity]
			entry, hop := paths.entries[i], paths.hops[i]
			b := &backend{id: wb.ID, service: s, entry: entry, hop: hop}
			b.entry.Delivery = uint8(s.entry.Delivery)
			b.entry.Service = uint16(s.entry.Slot)
			b.entry.Identity = identity
			b.entry.Flags |= flagsOf(&w, wb)
			if lives {
				b.slot, b.entry.Incarnation = old.slot, old.entry.Incarnation
			} else {
				slot, ok := backendSlots.next()
				if !ok {
					return nil, fmt.Errorf("service %s: all slots of backends are taken until the next change: try again", w.Key)
				}
				b.slot, b.entry.Incarnation = uint16(slot), next.nextIncarnation
				next.nextIncarnation++
			}
			next.slots[b.slot] = b
			s.backends = append(s.backends, b)
		}
		next.services = append(next.services, s)
		next.byKey[s.Key] = s
	}
	return next, nil
}

func flagsOf(s *datapath.Service, b datapath.Backend) (flags uint8) {
	if s.Keeps(b) {
		flags |= keeps
	}
	if b.Up {
		flags |= up
	}
	if b.Up && (b.State == datapath.Active || b.State == datapath.Filling) {
		flags |= takes
	}
	return flags
}

// membersOf hashes everything that determines a table.
func (s *service) membersOf() uint64 {
	hash := fnv.New64a()
	for i, b := range s.Backends {
		_, _ = fmt.Fprintln(hash, s.backends[i].slot, b.Weight, b.State, b.Up, b.ID)
	}
	return hash.Sum64()
}

// build builds the two tables of a service.
func (s *service) build(coming []futureTable) *table {
	settledMembers, freshMembers := datapath.Settled(s.Backends), datapath.Fresh(s.Backends)
	settled := maglev.Build(settledMembers)
	fresh := settled
	if !slices.Equal(settledMembers, freshMembers) {
		fresh = maglev.Build(freshMembers)
	}
	settledSlots, freshSlots := s.slotsOf(settledMembers), s.slotsOf(freshMembers)
	out := new(table)
	for i := range out.Row {
		out.Row[i] = row{Settled: slotAt(settledSlots, settled[i]), Fresh: slotAt(freshSlots, fresh[i])}
	}
	s.markCare(out, coming)
	return out
}

// slotsOf returns the slots of members, by their index.
func (s *service) slotsOf(members []maglev.Member) []uint16 {
	slots := make([]uint16, 0, len(members))
	for _, b := range s.backends { // sorted by ID as members are
		if len(slots) < len(members) && members[len(slots)].ID == b.id {
			slots = append(slots, b.slot)
		}
	}
	return slots
}

func slotAt(slots []uint16, index int16) uint16 {
	if index == maglev.Empty {
		return noBackend
	}
	return slots[index]
}

// pool assigns the lowest free number.
type pool struct {
	size  int
	at    int
	taken map[int]bool
	also  func(int) bool
}

func newPool(size int, also func(int) bool) *pool {
	return &pool{size: size, taken: map[int]bool{}, also: also}
}

func (p *pool) take(number int) { p.taken[number] = true }

func (p *pool) next() (int, bool) {
	for ; p.at < p.size; p.at++ {
		if !p.taken[p.at] && !p.also(p.at) {
			p.at++
			return p.at - 1, true
		}
	}
	return 0, false
}
