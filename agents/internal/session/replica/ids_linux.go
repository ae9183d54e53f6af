package replica

import (
	"maps"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

// soonMost is how often ids are requested at each repetition, of a companion that hasn't sent all of them: for
// five seconds. A lost datagram must not keep a replica that starts from being ready.
const soonMost = idsEvery

// Ids are requested in batches, from each companion. Their datagrams must fit into the socket's buffer.
const (
	batchMost   = 1024
	awaitedMost = 32768 // of all companions that haven't sent all of theirs
)

// learnt is how far the session ids of each backend are known here.
type learnt struct {
	mutex   sync.Mutex
	of      map[ofBackend]*progress
	lacking int    // how many of them lack ids
	news    func() // called when a backend's ids are all known
}

type ofBackend struct {
	service datapath.Key
	backend string
}

func (of ofBackend) isIn(services []Service) bool {
	return slices.ContainsFunc(services, func(s Service) bool {
		return s.Key == of.service && slices.ContainsFunc(s.Backends, func(b Backend) bool { return b.ID == of.backend })
	})
}

func (l *learnt) at(of ofBackend) *progress {
	if l.of[of] == nil {
		l.of[of] = &progress{}
		l.lacking++
	}
	return l.of[of]
}

// batch returns how many ids one request is for. Two of them are under way.
func (l *learnt) batch() uint64 {
	return uint64(min(batchMost, max(1, awaitedMost/2/max(1, l.lacking))))
}

// learn stores session ids of a backend. If some were lost, or there are more, it requests them.
func (r *Replica) learn(service *Service, m message.Message) {
	if service.WithoutIDs {
		return
	}
	place, ok := r.joint.PlaceOf(service.Key, m.Backend)
	if !ok {
		return
	}
	if m.Kind == message.HasID { // apart from the order of the others
		_ = r.store(service, place, m)
		return
	}
	r.ids.mutex.Lock()
	at := r.ids.at(ofBackend{service.Key, m.Backend})
	next := at.next(m, r.ids.batch(), time.Now())
	if next.request {
		r.requestFrom(service, m.Backend, at, next.after)
	}
	r.ids.mutex.Unlock()
	if !next.store || r.store(service, place, m) != nil {
		return
	}
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	at.last = m.Last
	if next.complete && !at.all {
		at.all = true
		r.ids.lacking--
		if r.ids.news != nil {
			r.ids.news()
		}
	}
}

func (r *Replica) store(service *Service, place bpf.Place, m message.Message) error {
	if err := r.stored.put(entriesOf(place, m)); err != nil {
		return err
	}
	r.endLearnt(service, m.IDs)
	return nil
}

func entriesOf(place bpf.Place, m message.Message) ([]program.SessionSessionId, []program.SessionSessionIdEntry) {
	ids, entries := make([]program.SessionSessionId, len(m.IDs)), make([]program.SessionSessionIdEntry, len(m.IDs))
	now := clock()
	for i, id := range m.IDs {
		learnt := now
		if len(m.Ages) > 0 {
			learnt -= m.Ages[i]
		}
		ids[i] = program.SessionSessionId{Service: place.Service, Id: id}
		entries[i] = program.SessionSessionIdEntry{
			Place: program.SessionSessionPlace{Incarnation: place.Incarnation, Slot: place.Slot}, Learnt: uint64(learnt),
		}
	}
	return ids, entries
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

// requestIDs requests what isn't known here yet, from all companions: some may answer only now.
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
				r.requestFrom(&services[i], b.ID, at, at.last)
			}
		}
	}
}

// forgetIDs forgets how far the session ids of former backends are known, and has their ids removed.
func (r *Replica) forgetIDs(services []Service) {
	r.ids.mutex.Lock()
	defer r.ids.mutex.Unlock()
	before := len(r.ids.of)
	maps.DeleteFunc(r.ids.of, func(of ofBackend, _ *progress) bool { return !of.isIn(services) })
	if isFirst := before == 0; isFirst || len(r.ids.of) < before {
		select {
		case r.changed <- struct{}{}:
		default: // a sweep is due
		}
	}
	r.ids.lacking = 0
	for _, at := range r.ids.of {
		if !at.all {
			r.ids.lacking++
		}
	}
}

// requestFrom requests a batch of ids after a number.
func (r *Replica) requestFrom(service *Service, backend string, at *progress, after uint64) {
	at.requested, at.asked = after+r.ids.batch(), time.Now()
	for _, b := range service.Backends {
		socket := r.socketFor(b.Companion)
		if b.ID != backend || socket == nil {
			continue
		}
		own := socket.LocalAddr().(*net.UDPAddr).AddrPort()
		sealed := message.Seal(service.Keys.Current.Message, time.Now(), message.Message{
			Kind: message.RequestIDs, Service: addressOf(service.Key), Last: after, Until: at.requested,
			Client: netip.AddrPortFrom(own.Addr().Unmap(), own.Port()),
		})
		_, _ = socket.WriteToUDPAddrPort(sealed, b.Companion)
	}
}
