package replica

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Set makes the program place connections of exactly these services. The engine must carry
// them: call it after each of the engine's Sets.
func (r *Replica) Set(services []Service) error {
	keys := map[program.ServiceKey]program.SessionSessionService{}
	names := map[program.SessionSessionName]program.SessionSessionPlace{}
	hints := map[program.SessionSessionHint]program.SessionSessionPlace{}
	resuming, slots := map[uint32]uint32{}, map[datapath.Key]uint32{}
	for i := range services {
		s := &services[i]
		if err := s.check(); err != nil {
			return err
		}
		keys[program.ToServiceKey(s.Key)] = entryOf(s)
		for _, b := range s.Backends {
			at, ok := r.joint.PlaceOf(s.Key, b.ID)
			if !ok {
				continue // the engine doesn't have it
			}
			slots[s.Key] = at.Service
			placeBackend(at, b, names, hints)
			if b.Resumes {
				resuming[at.Incarnation] = 1
			}
		}
		placeFormer(slots, s, names)
	}
	maps := r.collection.Maps
	err := errors.Join(
		r.counts.set(maps[program.SessionMapSessionCounted], slots),
		program.ReplaceAll(maps[program.SessionMapSessionHints], hints),
		program.ReplaceAll(maps[program.SessionMapSessionResuming], resuming),
		program.ReplaceAll(maps[program.SessionMapSessionNames], names),
		program.ReplaceAll(maps[program.SessionMapSessionServices], keys))
	if err != nil {
		return fmt.Errorf("set the services that choose by session: %w", err)
	}
	r.services.Store(copyOf(services))
	r.forgetIDs(services)
	r.forgetSilences(services)
	r.requestIDs()
	return r.install()
}

// copyOf returns services that their owner can't change while they are searched.
func copyOf(services []Service) *[]Service {
	own := slices.Clone(services)
	for i := range own {
		own[i].Backends = slices.Clone(own[i].Backends)
	}
	return &own
}

func entryOf(s *Service) program.SessionSessionService {
	entry := EntryOf(s.Keys, s.MSS, 0)
	if s.WithoutIDs {
		entry.WithoutIds = 1
	} else if slices.ContainsFunc(s.Backends, func(b Backend) bool { return b.Resumes && b.Companion.IsValid() }) {
		entry.SearchesIds = 1
	}
	return entry
}

// noIncarnation is of no backend.
const noIncarnation = math.MaxUint32

func placeFormer(slots map[datapath.Key]uint32, s *Service, names map[program.SessionSessionName]program.SessionSessionPlace) {
	slot, ok := slots[s.Key]
	for _, name := range s.Former {
		key := program.SessionSessionName{Service: slot, Name: name}
		if _, has := names[key]; ok && !has {
			names[key] = program.SessionSessionPlace{Incarnation: noIncarnation}
		}
	}
}

// placeBackend adds a backend's names and number.
func placeBackend(at bpf.Place, b Backend, names map[program.SessionSessionName]program.SessionSessionPlace, hints map[program.SessionSessionHint]program.SessionSessionPlace) {
	place := program.SessionSessionPlace{Incarnation: at.Incarnation, Slot: at.Slot}
	for _, name := range b.Names {
		names[program.SessionSessionName{Service: at.Service, Name: name}] = place
	}
	hint := program.SessionSessionHint{Service: at.Service, Number: uint32(b.Number)}
	if _, shared := hints[hint]; shared {
		place.Incarnation = 0 // all of that number are queried
	}
	hints[hint] = place
}
