package replica

import (
	"maps"
	"net/netip"
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
}

func newIDSearches() idSearches { return idSearches{byID: map[ofID]*idSearch{}, silent: silences{}} }

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

// beginIDSearch queries the companions of all backends that would get the client. It waits for none if the limit is
// reached.
func (r *Replica) beginIDSearch(service *Service, of ofID, now time.Time) *idSearch {
	s := &idSearch{of: of, from: service, waits: map[string]netip.AddrPort{}, began: now}
	silent := map[string]netip.AddrPort{}
	for _, b := range service.Backends {
		at, ok := r.joint.PlaceOf(service.Key, b.ID)
		if !ok || !b.Resumes || !b.Companion.IsValid() || !r.takesConnections(at) {
			continue
		}
		if r.idSearches.silent.has(ofBackend{service.Key, b.ID}) {
			silent[b.ID] = b.Companion // its answer ends its silence
		} else {
			s.waits[b.ID] = b.Companion
		}
	}
	if !r.queryID(s, s.waits, now) {
		s.waits = nil
	}
	r.queryID(s, silent, now)
	return s
}

func (r *Replica) takesConnections(at bpf.Place) bool {
	return r.hasFlags(at.Slot, at.Incarnation, uint8(program.TcxBackendFlagsKEEPS|program.TcxBackendFlagsUP))
}

// queryID returns false if the limit allows no more queries.
func (r *Replica) queryID(s *idSearch, companions map[string]netip.AddrPort, now time.Time) bool {
	if r.idSearches.queries += len(companions); r.idSearches.queries > idQueriesMost {
		r.pauseIDSearches()
		return false
	}
	sealed := message.Seal(s.from.Keys.Current.Message, time.Now(), message.Message{
		Kind: message.FindID, Service: addressOf(s.of.service), IDs: [][message.IDBytes]byte{s.of.id},
	})
	for backend, to := range companions {
		r.idSearches.silent.addQuery(ofBackend{s.of.service, backend}, now)
		r.send(sealed, to)
	}
	return true
}

// pauseIDSearches has the program place hellos with unknown ids at once, as it does without an agent. Beyond a limit this
// process could only do the same, for more CPU time than others can spare.
func (r *Replica) pauseIDSearches() {
	if !r.idSearches.paused {
		r.idSearches.paused = true
		r.searchIDsUntil(time.Time{})
	}
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
			r.endIDSearch(s)
		}
		return
	}
	if s == nil {
		return
	}
	if delete(s.waits, m.Backend); len(s.waits) == 0 {
		r.endIDSearch(s)
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
			r.endIDSearch(s)
		}
	}
}

// endIDSearch places all hellos that wait for an id.
func (r *Replica) endIDSearch(s *idSearch) {
	delete(r.idSearches.byID, s.of)
	r.idSearches.waiting -= len(s.hellos)
	for _, p := range s.hellos {
		whole := p.whole
		if p.whole = nil; r.parts.byFlow[p.key] == p {
			r.finish(p, whole)
		}
	}
}

// repeatIDQueries repeats queries that weren't answered, and ends searches.
func (r *Replica) repeatIDQueries(now time.Time) {
	r.partsMutex.Lock()
	defer r.partsMutex.Unlock()
	r.idSearches.queries, r.idSearches.paused = 0, false
	r.searchIDsUntil(now.Add(searchingSpan))
	for _, s := range r.idSearches.byID {
		r.queryID(s, s.waits, now)
		maps.DeleteFunc(s.waits, func(backend string, _ netip.AddrPort) bool {
			return r.idSearches.silent.has(ofBackend{s.of.service, backend})
		})
		if len(s.waits) == 0 || now.Sub(s.began) >= idSearchSpan {
			r.endIDSearch(s)
		}
	}
}

// forgetSilences forgets those of former backends.
func (r *Replica) forgetSilences(services []Service) {
	r.partsMutex.Lock()
	defer r.partsMutex.Unlock()
	maps.DeleteFunc(r.idSearches.silent, func(of ofBackend, _ silence) bool { return !of.isIn(services) })
}

// searchIDsUntil has the program pass hellos with unknown ids on until a time; the zero time: not any more.
func (r *Replica) searchIDsUntil(until time.Time) {
	_ = r.collection.Maps[program.SessionMapSessionSearching].Put(uint32(0), program.MonotonicAt(until)) // until the next time
}
