package replica

import (
	"maps"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

// learnt is how far the session ids of each backend are known here.
type learnt struct {
	mutex sync.Mutex
	last  map[ofBackend]uint64
}

type ofBackend struct {
	service datapath.Key
	backend string
}

// learn stores session ids of a backend. If some were lost, or there are more, it requests
// them. What begins with the oldest that the companion has lacks nothing: it may have started
// again, with higher numbers.
func (r *Replica) learn(service *Service, m message.Message) {
	if service.WithoutIDs {
		return
	}
	place, ok := r.joint.PlaceOf(service.Key, m.Backend)
	at := ofBackend{service.Key, m.Backend}
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	before := m.Last - uint64(len(m.IDs))
	switch known := r.ids.last[at]; {
	case !ok || m.Last <= known:
		return
	case before > known && before != m.Before:
		r.requestFrom(service, m.Backend, known)
		return
	}
	for _, id := range m.IDs {
		key := program.SessionSessionId{Service: place.Service, Id: id}
		if err := r.collection.Maps[program.SessionMapSessionIds].Put(key, program.SessionSessionPlace{Incarnation: place.Incarnation, Slot: place.Slot}); err != nil {
			return
		}
	}
	r.ids.last[at] = m.Last
	if len(m.IDs) == message.IDsMost {
		r.requestFrom(service, m.Backend, m.Last)
	}
}

// requestIDs requests what isn't known here yet, from all companions.
func (r *Replica) requestIDs() {
	services := *r.services.Load()
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	for i := range services {
		if services[i].WithoutIDs {
			continue
		}
		for _, b := range services[i].Backends {
			r.requestFrom(&services[i], b.ID, r.ids.last[ofBackend{services[i].Key, b.ID}])
		}
	}
}

// forgetIDs forgets how far the session ids of former backends are known.
func (r *Replica) forgetIDs(services []Service) {
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	maps.DeleteFunc(r.ids.last, func(of ofBackend, _ uint64) bool {
		return !slices.ContainsFunc(services, func(s Service) bool {
			return s.Key == of.service && slices.ContainsFunc(s.Backends, func(b Backend) bool { return b.ID == of.backend })
		})
	})
}

func (r *Replica) requestFrom(service *Service, backend string, last uint64) {
	for _, b := range service.Backends {
		if b.ID != backend || !b.Companion.IsValid() {
			continue
		}
		sealed := message.Seal(service.Keys.Current.Message, time.Now(), message.Message{Kind: message.RequestIDs, Service: addressOf(service.Key), Last: last})
		r.send(sealed, b.Companion)
	}
}
