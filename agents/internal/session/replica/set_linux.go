package replica

import (
	"errors"
	"fmt"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// Set makes the program place connections of exactly these services. The engine must carry
// them: call it after each of the engine's Sets.
func (r *Replica) Set(services []Service) error {
	keys := map[program.ServiceKey]program.SessionSessionService{}
	names := map[program.SessionSessionName]program.SessionSessionPlace{}
	hints := map[program.SessionSessionHint]program.SessionSessionPlace{}
	for i := range services {
		s := &services[i]
		if err := s.check(); err != nil {
			return err
		}
		keys[program.ToServiceKey(s.Key)] = EntryOf(s.Keys, s.MSS, 0)
		for _, b := range s.Backends {
			r.placeBackend(s, b, names, hints)
		}
	}
	maps := r.collection.Maps
	err := errors.Join(
		program.ReplaceAll(maps[program.SessionMapSessionHints], hints),
		program.ReplaceAll(maps[program.SessionMapSessionNames], names),
		program.ReplaceAll(maps[program.SessionMapSessionServices], keys))
	if err != nil {
		return fmt.Errorf("set the services that choose by session: %w", err)
	}
	r.services.Store(copyOf(services))
	r.forgetIDs(services)
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

// placeBackend adds a backend, unless the engine doesn't have it.
func (r *Replica) placeBackend(s *Service, b Backend, names map[program.SessionSessionName]program.SessionSessionPlace, hints map[program.SessionSessionHint]program.SessionSessionPlace) {
	at, ok := r.joint.PlaceOf(s.Key, b.ID)
	if !ok {
		return
	}
	place := program.SessionSessionPlace{Incarnation: at.Incarnation, Slot: at.Slot}
	if b.Resumes {
		for _, name := range b.Names {
			names[program.SessionSessionName{Service: at.Service, Name: name}] = place
		}
	}
	hint := program.SessionSessionHint{Service: at.Service, Number: uint32(b.Number)}
	if _, shared := hints[hint]; shared {
		place.Incarnation = 0 // all of that number are queried
	}
	hints[hint] = place
}
