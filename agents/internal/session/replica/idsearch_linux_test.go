package replica

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/message"
)

func TestAClientReturnsToABackendWhoseCompanionAloneKnowsItsID(t *testing.T) {
	p := newPlace(t)
	all := peersOf(t, p)
	all.answers[1].Store(uint32(message.HasID))
	before := p.countsOf(t, ServiceCounts{})
	const clients = 16 // of which a table would place some at the other backend
	for n := range clients {
		of := p.from()
		if p.sends(t, of, resuming(idText(n))) {
			t.Fatal("it is placed before the companions are queried")
		}
		if got := p.placedAt(t, of); got != "b" {
			t.Errorf("client %d goes to %s", n, got)
		}
	}
	p.eventually(t, func(Counts) bool {
		return p.countsOf(t, before) == ServiceCounts{ByID: Outcomes{Home: clients}, Searched: Searched{Found: clients}}
	})
	if of := p.from(); !p.sends(t, of, resuming(idText(0))) || p.placedAt(t, of) != "b" {
		t.Error("the id isn't learned")
	}
}

// The age is that of the companion, so that the id expires in time.
func TestAnIDThatWasSearchedHasItsAge(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p).answers[0].Store(uint32(message.HasID))
	of, since := p.from(), clock()-time.Minute
	p.sends(t, of, resuming(idText(7)))
	p.placedAt(t, of)
	var entry program.SessionSessionIdEntry
	must(t, p.replica.stored.table.Lookup(idOf(p.placeOf(connection4, "a"), 7), &entry))
	if late := time.Duration(entry.Learnt) - since; late < 0 || late > 30*time.Second {
		t.Errorf("learnt %s after that", late)
	}
}

func TestAnIDThatNoCompanionKnowsIsOfANewSession(t *testing.T) {
	p := newPlace(t)
	all := peersOf(t, p)
	before := p.countsOf(t, ServiceCounts{})
	got := map[string]int{}
	for n := range 32 {
		of := p.from()
		p.sends(t, of, resuming(idText(n)))
		got[p.placedAt(t, of)]++
	}
	if got["a"] == 0 || got["b"] == 0 {
		t.Errorf("all of them at one backend: %v", got)
	}
	p.eventually(t, func(Counts) bool {
		return p.countsOf(t, before) == ServiceCounts{ByID: Outcomes{Unknown: 32}, Searched: Searched{Absent: 32}}
	})
	if all.requests[0].Load() == 0 || all.requests[1].Load() == 0 {
		t.Error("not all companions were queried")
	}
}

// Connections of one client begin with the same id at the same time.
func TestAnIDIsSearchedOnce(t *testing.T) {
	p := newPlace(t)
	all := peersOf(t, p)
	all.answers[0].Store(0)
	whole, _ := normal(resuming(idText(1)))
	p.replica.partsMutex.Lock() // so that no repetition begins
	for range 8 {
		_, flow := keyOf(p.from())
		if !p.replica.searchID(&partial{key: flow}, whole, time.Now()) {
			t.Error("one doesn't wait")
		}
	}
	if searches := p.replica.idSearches; len(searches.byID) != 1 || searches.waiting != 8 || searches.queries != 2 {
		t.Errorf("%d searches of %d hellos, %d queries", len(searches.byID), searches.waiting, searches.queries)
	}
	p.replica.partsMutex.Unlock()
}

// catch sends hellos with unknown ids until the search of one is caught before its end, and has it last.
func (p *place) catch(t *testing.T) (of cookie.Connection, n int) {
	t.Helper()
	for n = range 20 { // a search may end before this test gets time
		of = p.from()
		p.sends(t, of, resuming(idText(n)))
		for until := time.Now().Add(idSearchSpan); time.Now().Before(until); time.Sleep(time.Millisecond) {
			if p.prolong(n) {
				return of, n
			}
		}
	}
	t.Fatal("nothing is searched")
	return of, n
}

func (p *place) prolong(n int) bool {
	service, _ := keyOf(connection4)
	p.replica.partsMutex.Lock()
	defer p.replica.partsMutex.Unlock()
	s := p.replica.idSearches.byID[ofID{service, idOf(bpf.Place{}, n).Id}]
	if s != nil {
		later := time.Now().Add(time.Minute)
		s.began = later
		for _, backend := range []string{"a", "b"} {
			p.replica.idSearches.silent[ofBackend{service, backend}] = silence{since: later, last: later}
		}
	}
	return s != nil
}

func TestAnIDThatArrivesMeanwhileEndsItsSearch(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p).answers[0].Store(0)
	of, n := p.catch(t)
	service := &(*p.replica.services.Load())[0]
	p.replica.learn(service, message.Message{Kind: message.SessionIDs, Backend: "b", Last: 1, IDs: [][message.IDBytes]byte{idOf(bpf.Place{}, n).Id}})
	if got := p.placedAt(t, of); got != "b" {
		t.Errorf("it goes to %s", got)
	}
}

// The id takes the place of the oldest one.
func TestAFullReplicaFindsAnID(t *testing.T) {
	p := newPlace(t)
	all := peersOf(t, p)
	all.answers[1].Store(0)
	const first = 1000 // after those that are searched
	p.fill(t, first, first+idsMost, clock()-time.Hour)
	must(t, p.replica.stored.sweepNow())
	of, _ := p.catch(t)
	all.answers[1].Store(uint32(message.HasID))
	if got := p.placedAt(t, of); got != "b" {
		t.Errorf("it goes to %s", got)
	}
	if p.known(first, first+1) != 0 {
		t.Error("the oldest id is still there")
	}
}

// A companion may be slow, and answer some queries late or not at all.
func TestAHelloWaitsForACompanionThatAnswersOthers(t *testing.T) {
	p := newPlace(t)
	all := peersOf(t, p)
	all.answers[0].Store(uint32(message.HasID))
	all.ignored.Store(4) // repetitions of this query
	before := p.countsOf(t, ServiceCounts{})
	of := p.from()
	p.sends(t, of, resuming(idText(ignoredID)))
	for n := ignoredID + 1; all.ignored.Load() > 0; n++ {
		p.sends(t, p.from(), resuming(idText(n)))
		time.Sleep(repeatEvery / 4)
	}
	p.placedAt(t, of)
	if got := p.countsOf(t, before).ByID; got.Unknown > 0 {
		t.Errorf("it is placed before the companion answers: %+v", got)
	}
}

// A client sends its hello again while it waits.
func TestAHelloThatComesAgainWaitsOnce(t *testing.T) {
	p := newPlace(t)
	all := peersOf(t, p)
	all.answers[0].Store(0)
	before := p.countsOf(t, ServiceCounts{})
	of, n := p.catch(t)
	for range 3 {
		p.sends(t, of, resuming(idText(n)))
	}
	p.eventually(t, func(c Counts) bool { return c.Parts >= uint64(n)+4 })
	all.answers[0].Store(uint32(message.HasID)) // to a repeated query
	if got := p.placedAt(t, of); got != "a" {
		t.Errorf("it goes to %s", got)
	}
	if got := p.countsOf(t, before).ByID.Home; got != 1 {
		t.Errorf("it is counted %d times", got)
	}
}

// A hello in parts names the same id, so it is searched, too.
func TestTheIDOfAHelloInPartsIsSearched(t *testing.T) {
	p := newPlace(t)
	peersOf(t, p).answers[1].Store(uint32(message.HasID))
	for n := range 8 {
		of := p.from()
		p.inParts(t, of, resuming(idText(n)))
		if got := p.placedAt(t, of); got != "b" {
			t.Errorf("client %d goes to %s", n, got)
		}
	}
}
