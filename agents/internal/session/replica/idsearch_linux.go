package replica

import (
	"maps"
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/hello"
	"fairlead.dev/agents/internal/session/message"
)

const (
	idWaitsMost   = 512             // hellos that wait: half of those that are held
	idSearchSpan  = 3 * time.Second // then, at the next repetition, a hello goes where a new session does
	idQueriesMost = 4000            // in one repetition: clients can cause them by random ids
	searchingSpan = 2 * time.Second // how long the program passes hellos on if this process is killed
)

// idSearches are for the backends of session ids that may be on their way here. The mutex of parts guards them.
type idSearches struct {
	byID    map[ofID]*idSearch
	waiting int  // hellos
	queries int  // since the last repetition
	paused  bool // until the next repetition, the program places these hellos
	silent  silences
	ended   map[datapath.Key]Searched
}

type ofID struct {
	service datapath.Key
	id      [message.IDBytes]byte
}

type idSearch struct {
	of     ofID
	from   *Service
	waits  map[string]netip.AddrPort // companions that haven't answered, by the ID of their backend
	hellos []*partial
	began  time.Time

	isCertain bool // no companion is silent
}

func newIDSearches() idSearches {
	return idSearches{byID: map[ofID]*idSearch{}, silent: silences{}, ended: map[datapath.Key]Searched{}}
}

// searchID has a hello wait while companions are queried for its session id. It returns false if there is nothing to
// wait for.
func (r *Replica) searchID(p *partial, whole []byte, now time.Time) bool {
	service := r.serviceAt(addressOf(bpf.FlowOf(p.key).Service))
	id, ok := idIn(whole)
	if !ok || service == nil || service.WithoutIDs || r.knowsID(service, id) {
		return false
	}
	if r.idSearches.waiting >= idWaitsMost {
		r.pauseIDSearches()
		return false
	}
	of := ofID{service.Key, id}
	s := r.idSearches.byID[of]
	if s == nil {
		if s = r.beginIDSearch(service, of, now); len(s.waits) == 0 {
			return false
		}
		r.idSearches.byID[of] = s
	}
	p.whole = whole
	s.hellos = append(s.hellos, p)
	r.idSearches.waiting++
	return true
}

// idIn returns the id of a hello by which the program searches its session.
func idIn(whole []byte) (id [message.IDBytes]byte, ok bool) {
	h, err := hello.Parse(whole, helloMost)
	if err != nil || len(h.SessionID) != message.IDBytes || h.OffersTLS13 || len(h.Ticket) > 0 {
		return id, false
	}
	for range h.Identities() {
		return id, false
	}
	return [message.IDBytes]byte(h.SessionID), true
}

func (r *Replica) knowsID(service *Service, id [message.IDBytes]byte) bool {
	for _, b := range service.Backends {
		if at, ok := r.joint.PlaceOf(service.Key, b.ID); ok {
			var entry program.SessionSessionIdEntry
			return r.stored.table.Lookup(program.SessionSessionId{Service: at.Service, Id: id}, &entry) == nil
		}
	}
	return false
}

// handleID handles the answer to a query. Without room for the id in the map, the search waits until learnAll has made some.
func (r *Replica) handleID(service *Service, m message.Message) {
	if len(m.IDs) != 1 || service.WithoutIDs {
		return
	}
	r.partsMutex.Lock()
	defer r.partsMutex.Unlock()
	r.idSearches.silent.addAnswer(ofBackend{service.Key, m.Backend})
	s := r.idSearches.byID[ofID{service.Key, m.IDs[0]}]
	if at, ok := r.joint.PlaceOf(service.Key, m.Backend); ok && m.Kind == message.HasID {
		r.queueIDs(m)
		if s != nil && r.stored.putNow(entriesOf(at, m)) == nil {
			r.endIDSearch(s, true)
		}
		return
	}
	if s == nil {
		return
	}
	if delete(s.waits, m.Backend); len(s.waits) == 0 {
		r.endIDSearch(s, false)
	}
}

// endLearnt ends the searches for ids that are known now.
func (r *Replica) endLearnt(service *Service, ids [][message.IDBytes]byte) {
	r.partsMutex.Lock()
	defer r.partsMutex.Unlock()
	if len(r.idSearches.byID) == 0 {
		return
	}
	for _, id := range ids {
		if s := r.idSearches.byID[ofID{service.Key, id}]; s != nil {
			r.endIDSearch(s, true)
		}
	}
}

// endIDSearch places all hellos that wait for an id.
func (r *Replica) endIDSearch(s *idSearch, found bool) {
	delete(r.idSearches.byID, s.of)
	r.idSearches.waiting -= len(s.hellos)
	switch hellos := uint64(len(s.hellos)); {
	case found:
		r.countIDs(s, Searched{Found: hellos})
	case s.isCertain:
		r.countIDs(s, Searched{Absent: hellos})
	default:
		r.countIDs(s, Searched{Unanswered: hellos})
	}
	for _, p := range s.hellos {
		whole := p.whole
		if p.whole = nil; r.parts.byFlow[p.key] == p {
			r.finish(p, whole)
		}
	}
}

func (r *Replica) countIDs(s *idSearch, more Searched) {
	r.idSearches.ended[s.of.service] = r.idSearches.ended[s.of.service].add(more)
}

// forgetSilences forgets those of former backends, and what was counted of former services.
func (r *Replica) forgetSilences(services []Service) {
	r.partsMutex.Lock()
	defer r.partsMutex.Unlock()
	maps.DeleteFunc(r.idSearches.silent, func(of ofBackend, _ silence) bool { return !of.isIn(services) })
	maps.DeleteFunc(r.idSearches.ended, func(key datapath.Key, _ Searched) bool {
		return !slices.ContainsFunc(services, func(s Service) bool { return s.Key == key })
	})
}
