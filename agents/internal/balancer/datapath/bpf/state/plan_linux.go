package state

import (
	"errors"
	"fmt"
	"hash/fnv"
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/neighbour"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/balancer/maglev"
)

// Model is the wanted state of the kernel. A Set derives a new one from the previous one,
// so a failed Set leaves nothing half done.
type Model struct {
	Services        []*Service // sorted by key
	ByKey           map[datapath.Key]*Service
	Slots           map[uint16]*Backend
	NextIncarnation uint32
	Failures        []datapath.Failure // backends without a path
	atAddress       map[netip.Addr][]uint16
}

// Service is a service with its place in the maps.
type Service struct {
	datapath.Service
	Entry   program.ServiceEntry
	Placed  []*Backend // in the order of Backends
	members uint64     // hash of the table's input
	Table   uint32     // the kernel's id of the inner map; 0 when unknown
	Formers []former   // recent tables
}

// Backend is a backend with its place in the maps.
type Backend struct {
	ID      string
	service *Service // nil while only recalled
	Entry   program.BackendEntry
	Slot    uint16
	Hop     neighbour.Hop
}

// HopOf returns a backend's next hop when its entry was written.
func HopOf(entry program.BackendEntry) neighbour.Hop {
	if entry.Interface == 0 {
		return neighbour.NoHop
	}
	return neighbour.Hop{Next: program.FromAddress(entry.NextHop), Link: int(entry.Interface)}
}

// NewModel returns the state without any service.
func NewModel() *Model {
	return &Model{ByKey: map[datapath.Key]*Service{}, Slots: map[uint16]*Backend{}, NextIncarnation: 1}
}

// SlotsAt returns the slots of the backends with an address. Anyone can cause a thousand such questions
// per second, so the slots are indexed by the first.
func (m *Model) SlotsAt(address netip.Addr) []uint16 {
	if m.atAddress == nil {
		m.atAddress = make(map[netip.Addr][]uint16, len(m.Slots))
		for slot, b := range m.Slots {
			at := program.FromAddress(b.Entry.Address)
			m.atAddress[at] = append(m.atAddress[at], slot)
		}
	}
	return m.atAddress[address]
}

// Highest returns the highest slot in use.
func (m *Model) Highest() (highest int) {
	for slot := range m.Slots {
		highest = max(highest, int(slot))
	}
	return highest
}

// Translates reports whether a service needs source ports for NAT.
func (m *Model) Translates() bool {
	for _, s := range m.Services {
		if s.Delivery == datapath.NAT {
			return true
		}
	}
	return false
}

// Loses reports whether existing flows may have lost their backend.
func (m *Model) Loses(next *Model) bool {
	for slot, b := range m.Slots {
		now, ok := next.Slots[slot]
		if !ok || now.Entry.Incarnation != b.Entry.Incarnation || b.Entry.Flags&program.BackendKeeps > now.Entry.Flags&program.BackendKeeps {
			return true
		}
	}
	return false
}

// wayTo returns the path to a backend.
type wayTo func(datapath.Service, datapath.Backend) (program.BackendEntry, neighbour.Hop, error)

// paths are those to the backends of one service.
type paths struct {
	entries  []program.BackendEntry
	hops     []neighbour.Hop // without an address where there is no path
	lost     []int           // indexes of backends without a path
	failures []datapath.Failure
}

// pathsOf keeps the previous path of a backend that lost it: the path may work again.
// Without any, packets for the backend are dropped; only connections that other replicas
// placed there have some.
func pathsOf(s datapath.Service, alive map[uint64]*Backend, way wayTo) (p paths) {
	for i, b := range s.Backends {
		entry, hop, err := way(s, b)
		if err != nil {
			entry, hop = program.BackendEntry{Address: program.ToAddress(b.Address), Port: program.Wire(b.Port)}, neighbour.NoHop
			if old, lives := alive[program.IdentityOf(s.Key, b)]; lives {
				entry, hop = old.Entry, HopOf(old.Entry)
				entry.Flags &= program.BackendResolved
			}
		}
		if err != nil && b.State != datapath.Inactive {
			p.lost = append(p.lost, i)
			_, ofEngine := errors.AsType[neighbour.OfEngine](err)
			p.failures = append(p.failures, datapath.Failure{Service: s.Key, Backend: b.ID, Reason: err.Error(), OfEngine: ofEngine, OfRoutes: true})
		}
		p.entries, p.hops = append(p.entries, entry), append(p.hops, hop)
	}
	return p
}

// Plan is pure: it returns the next model, given the previous one. Existing objects keep
// slots and ids; new ones get slots that nothing refers to now.
func Plan(before *Model, wanted []datapath.Service, way wayTo) (*Model, error) {
	next := NewModel()
	next.NextIncarnation = before.NextIncarnation
	alive := make(map[uint64]*Backend, len(before.Slots))
	for _, b := range before.Slots {
		alive[b.Entry.Identity] = b
	}
	serviceSlots := newPool(int(program.TcxLimitsSERVICES), func(slot int) bool { return false })
	for _, s := range before.Services {
		serviceSlots.take(int(s.Entry.Slot))
	}
	backendSlots := newPool(int(program.NoBackend), func(slot int) bool { _, taken := before.Slots[uint16(slot)]; return taken })

	for _, w := range wanted {
		s := &Service{Service: w, Entry: program.ServiceEntry{Seed: program.SeedOf(w.Key), Delivery: program.Deliveries[w.Delivery], Chooser: chooserOf(w)}}
		if old, ok := before.ByKey[w.Key]; ok {
			s.Entry.Slot, s.Table, s.members, s.Formers = old.Entry.Slot, old.Table, old.members, old.Formers
		} else {
			slot, ok := serviceSlots.next()
			if !ok {
				return nil, fmt.Errorf("service %s: all %d slots are taken until the next change: try again", w.Key, program.TcxLimitsSERVICES)
			}
			s.Entry.Slot = uint32(slot)
		}
		paths := pathsOf(w, alive, way)
		w = w.Down(paths.lost...)
		s.Service = w
		next.Failures = append(next.Failures, paths.failures...)
		for i, wb := range w.Backends {
			identity := program.IdentityOf(w.Key, wb)
			old, lives := alive[identity]
			entry, hop := paths.entries[i], paths.hops[i]
			b := &Backend{ID: wb.ID, service: s, Entry: entry, Hop: hop}
			b.Entry.Delivery = uint8(s.Entry.Delivery)
			b.Entry.Service = uint16(s.Entry.Slot)
			b.Entry.Identity = identity
			b.Entry.Flags |= flagsOf(&w, wb)
			if lives {
				b.Slot, b.Entry.Incarnation = old.Slot, old.Entry.Incarnation
			} else {
				slot, ok := backendSlots.next()
				if !ok {
					return nil, fmt.Errorf("service %s: all slots of backends are taken until the next change: try again", w.Key)
				}
				b.Slot, b.Entry.Incarnation = uint16(slot), next.NextIncarnation
				next.NextIncarnation++
			}
			next.Slots[b.Slot] = b
			s.Placed = append(s.Placed, b)
		}
		next.Services = append(next.Services, s)
		next.ByKey[s.Key] = s
	}
	return next, nil
}

func chooserOf(s datapath.Service) program.TcxChooser {
	switch s.Chooser {
	case datapath.Private:
		return program.TcxChooserPRIVATE
	case datapath.BySession:
		return program.TcxChooserBY_SESSION
	case datapath.ByCost:
		return program.TcxChooserBY_COST
	}
	return program.TcxChooserAGREED
}

func flagsOf(s *datapath.Service, b datapath.Backend) (flags uint8) {
	if s.Keeps(b) {
		flags |= program.BackendKeeps
	}
	if b.Up {
		flags |= program.BackendUp
	}
	if b.Up && (b.State == datapath.Active || b.State == datapath.Filling) {
		flags |= program.BackendTakes
	}
	if s.Chooser == datapath.ByCost {
		flags |= program.BackendCounted
	}
	return flags
}

// membersOf hashes everything that determines a table.
func (s *Service) membersOf() uint64 {
	hash := fnv.New64a()
	for i, b := range s.Backends {
		_, _ = fmt.Fprintln(hash, s.Placed[i].Slot, b.Weight, b.State, b.Up, b.ID)
	}
	return hash.Sum64()
}

// build builds the two tables of a service.
func (s *Service) build(coming []futureTable) *program.Table {
	settledMembers, freshMembers := datapath.Settled(s.Backends), datapath.Fresh(s.Backends)
	settled := maglev.Build(settledMembers)
	fresh := settled
	if !slices.Equal(settledMembers, freshMembers) {
		fresh = maglev.Build(freshMembers)
	}
	settledSlots, freshSlots := s.slotsOf(settledMembers), s.slotsOf(freshMembers)
	out := new(program.Table)
	for i := range out.Row {
		out.Row[i] = program.Row{Settled: slotAt(settledSlots, settled[i]), Fresh: slotAt(freshSlots, fresh[i])}
	}
	s.markCare(out, coming)
	return out
}

// slotsOf returns the slots of members, by their index.
func (s *Service) slotsOf(members []maglev.Member) []uint16 {
	slots := make([]uint16, 0, len(members))
	for _, b := range s.Placed { // sorted by ID as members are
		if len(slots) < len(members) && members[len(slots)].ID == b.ID {
			slots = append(slots, b.Slot)
		}
	}
	return slots
}

func slotAt(slots []uint16, index int16) uint16 {
	if index == maglev.Empty {
		return program.NoBackend
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
