package replica

import (
	"maps"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

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
	if s.isCertain = len(silent) == 0; !s.isCertain && len(s.waits) == 0 {
		r.countIDs(s, Searched{Unanswered: 1})
	}
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

// repeatIDQueries repeats queries that weren't answered, and ends searches.
func (r *Replica) repeatIDQueries(now time.Time) {
	r.partsMutex.Lock()
	defer r.partsMutex.Unlock()
	r.idSearches.queries, r.idSearches.paused = 0, false
	r.searchIDsUntil(now.Add(searchingSpan))
	for _, s := range r.idSearches.byID {
		r.queryID(s, s.waits, now)
		before := len(s.waits)
		maps.DeleteFunc(s.waits, func(backend string, _ netip.AddrPort) bool {
			return r.idSearches.silent.has(ofBackend{s.of.service, backend})
		})
		isLate := now.Sub(s.began) >= idSearchSpan
		s.isCertain = s.isCertain && len(s.waits) == before && !isLate
		if len(s.waits) == 0 || isLate {
			r.endIDSearch(s, false)
		}
	}
}

// searchIDsUntil has the program pass hellos with unknown ids on until a time; the zero time: not any more.
func (r *Replica) searchIDsUntil(until time.Time) {
	_ = r.collection.Maps[program.SessionMapSessionSearching].Put(uint32(0), program.MonotonicAt(until)) // until the next time
}
