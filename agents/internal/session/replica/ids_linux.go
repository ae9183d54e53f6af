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

// soonMost is how often ids are requested at each repetition, of a companion that hasn't sent all of them: for
// five seconds. A lost datagram must not keep a replica that starts from being ready.
const soonMost = idsEvery

// learnt is how far the session ids of each backend are known here.
type learnt struct {
	mutex sync.Mutex
	of    map[ofBackend]*progress
	news  func() // called when a backend's ids are all known
}

type ofBackend struct {
	service datapath.Key
	backend string
}

type progress struct {
	last    uint64 // the number of the last one that is known
	all     bool   // all were known once, so later ones arrive as they begin
	seen    uint64 // last, at the last repetition
	retries int
}

func (l *learnt) at(of ofBackend) *progress {
	if l.of[of] == nil {
		l.of[of] = &progress{}
	}
	return l.of[of]
}

// learn stores session ids of a backend. If some were lost, or there are more, it requests
// them. What begins with the oldest that the companion has lacks nothing: it may have started
// again, with higher numbers.
func (r *Replica) learn(service *Service, m message.Message) {
	if service.WithoutIDs {
		return
	}
	place, ok := r.joint.PlaceOf(service.Key, m.Backend)
	if !ok {
		return
	}
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	at, isFull := r.ids.at(ofBackend{service.Key, m.Backend}), len(m.IDs) == message.IDsMost
	before := m.Last - uint64(len(m.IDs))
	switch {
	case m.Last < at.last || m.Last == at.last && isFull:
		return
	case before > at.last && before != m.Before:
		r.requestFrom(service, m.Backend, at.last)
		return
	}
	for _, id := range m.IDs {
		key := program.SessionSessionId{Service: place.Service, Id: id}
		if err := r.collection.Maps[program.SessionMapSessionIds].Put(key, program.SessionSessionPlace{Incarnation: place.Incarnation, Slot: place.Slot}); err != nil {
			return
		}
	}
	at.last = m.Last
	switch {
	case isFull:
		r.requestFrom(service, m.Backend, m.Last)
	case !at.all:
		at.all = true
		if r.ids.news != nil {
			r.ids.news()
		}
	}
}

// LacksIDs returns the backends of a service, by their ID, whose companions haven't sent all session ids yet.
// Clients of those would begin new sessions elsewhere.
func (r *Replica) LacksIDs(of datapath.Key) (backends []string) {
	service := r.serviceAt(addressOf(of))
	if service == nil || service.WithoutIDs {
		return nil
	}
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	for _, b := range service.Backends {
		at := r.ids.of[ofBackend{of, b.ID}]
		if b.Resumes && b.Companion.IsValid() && (at == nil || !at.all) {
			backends = append(backends, b.ID)
		}
	}
	return backends
}

// WhenIDsChange has a function called when LacksIDs may return less. It must not block.
func (r *Replica) WhenIDsChange(news func()) {
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	r.ids.news = news
}

// requestIDs requests what isn't known here yet, from all companions.
func (r *Replica) requestIDs() {
	r.request(func(*progress) bool { return true })
}

// requestSoon requests again what a companion hasn't sent since the last repetition.
func (r *Replica) requestSoon() {
	r.request(func(at *progress) bool {
		if at.all || at.retries >= soonMost {
			return false
		}
		isStuck := at.last == at.seen
		at.seen = at.last
		at.retries++
		return isStuck
	})
}

func (r *Replica) request(from func(*progress) bool) {
	services := *r.services.Load()
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	for i := range services {
		if services[i].WithoutIDs {
			continue
		}
		for _, b := range services[i].Backends {
			if at := r.ids.at(ofBackend{services[i].Key, b.ID}); from(at) {
				r.requestFrom(&services[i], b.ID, at.last)
			}
		}
	}
}

// forgetIDs forgets how far the session ids of former backends are known.
func (r *Replica) forgetIDs(services []Service) {
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	maps.DeleteFunc(r.ids.of, func(of ofBackend, _ *progress) bool {
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
