package replica

import (
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
// them.
func (r *Replica) learn(service *Service, m message.Message) {
	place, ok := r.joint.PlaceOf(service.Key, m.Backend)
	at := ofBackend{service.Key, m.Backend}
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	before := m.Last - uint64(len(m.IDs))
	switch known := r.ids.last[at]; {
	case !ok || m.Last <= known:
		return
	case before > known && known > 0 && len(m.IDs) < message.IDsMost:
		// Some are missing. They come in order of their numbers.
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
		for _, b := range services[i].Backends {
			r.requestFrom(&services[i], b.ID, r.ids.last[ofBackend{services[i].Key, b.ID}])
		}
	}
}

func (r *Replica) requestFrom(service *Service, backend string, last uint64) {
	for _, b := range service.Backends {
		if b.ID != backend || !b.Companion.IsValid() {
			continue
		}
		sealed := message.Seal(service.Keys.Current.Message, time.Now(), message.Message{Kind: message.Know, Service: addressOf(service.Key), Last: last})
		_, _ = r.socket.WriteToUDPAddrPort(sealed, b.Companion)
	}
}
