package replica

import (
	"encoding/binary"
	"strconv"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/message"
)

const idsMost = int(program.SessionSessionLimitsSESSION_IDS)

// batchOf returns ids with these numbers, each learnt a nanosecond after the one before.
func batchOf(at bpf.Place, first, last int, from time.Duration) (ids []program.SessionSessionId, entries []program.SessionSessionIdEntry) {
	entry := entryAt(at)
	for n := first; n < last; n++ {
		entry.Learnt = uint64(from) + uint64(n)
		ids, entries = append(ids, idOf(at, n)), append(entries, entry)
	}
	return ids, entries
}

func idOf(at bpf.Place, n int) (key program.SessionSessionId) {
	key.Service = at.Service
	binary.BigEndian.PutUint32(key.Id[:], uint32(n))
	return key
}

func idText(n int) string {
	id := idOf(bpf.Place{}, n).Id
	return string(id[:])
}

// placeOf returns the place of a backend, of the service with a connection.
func (p *place) placeOf(of cookie.Connection, backend string) bpf.Place {
	service, _ := keyOf(of)
	at, _ := p.replica.joint.PlaceOf(service, backend)
	return at
}

// fill stores ids of two services in turn: even numbers for one, odd ones for the other.
func (p *place) fill(t testing.TB, first, last int, from time.Duration) {
	t.Helper()
	at := [2]bpf.Place{p.placeOf(connection4, "b"), p.placeOf(connection6, "b")}
	other := entryAt(at[1]).Place
	for ; first < last; first += walkMost {
		ids, entries := batchOf(at[0], first, min(first+walkMost, last), from)
		for i := range ids {
			if (first+i)%2 == 1 {
				ids[i].Service, entries[i].Place = at[1].Service, other
			}
		}
		must(t, p.replica.stored.put(ids, entries))
	}
}

// known returns how many of the ids with these numbers are stored.
func (p *place) known(first, last int) (known int) {
	at := [2]bpf.Place{p.placeOf(connection4, "b"), p.placeOf(connection6, "b")}
	var entry program.SessionSessionIdEntry
	for n := first; n < last; n++ {
		one := at[n%2]
		if p.replica.stored.table.Lookup(idOf(one, n), &entry) == nil && entry.Place.Incarnation == one.Incarnation {
			known++
		}
	}
	return known
}

// returnsTo returns where the program sends a client with the id of a number.
func (p *place) returnsTo(t testing.TB, n int) string {
	t.Helper()
	return p.first(t, []cookie.Connection{connection4, connection6}[n%2], forged("", "", idText(n)))
}

func TestAFullReplicaKnowsAllIDsAndDropsTheOldest(t *testing.T) {
	p, now := newPlace(t), clock()
	p.fill(t, 0, idsMost, now)
	if known := p.known(0, idsMost); known != idsMost {
		t.Errorf("%d of %d ids are known", known, idsMost)
	}
	for i := range 1024 {
		n := i*idsMost/1024 + i%2
		if got := p.returnsTo(t, n); got != "b" {
			t.Fatalf("a client with id %d goes to %q", n, got)
		}
	}
	const more = 100
	for dropped := 1; dropped <= more; dropped++ {
		p.fill(t, idsMost+dropped-1, idsMost+dropped, now)
		if p.known(0, dropped) != 0 || p.known(dropped, 2*more) != 2*more-dropped {
			t.Fatalf("%d more ids didn't take the places of the oldest", dropped)
		}
	}
	if known := p.known(2*more, 1<<16) + p.known(idsMost, idsMost+more); known != 1<<16-more {
		t.Errorf("%d of the others are known", known)
	}
	p.fill(t, 7, 8, now) // a companion that starts late sends its oldest ids
	if p.known(7, 8) != 0 || p.known(more, more+1) != 1 {
		t.Error("an id that is older than all others took the place of a newer one")
	}
	p.fillWhileIDsExpire(t, idsMost+more, now)
}

// fillWhileIDsExpire stores more ids in a full map, of which each walk removes only a few.
func (p *place) fillWhileIDsExpire(t *testing.T, first int, now time.Duration) {
	t.Helper()
	s, walks := &p.replica.stored, 0
	s.mutex.Lock()
	s.lives = func() func(program.SessionSessionIdEntry) bool {
		walks++
		removed := 0
		return func(entry program.SessionSessionIdEntry) bool {
			if removed == 2 || entry.Learnt >= uint64(now)+uint64(first) {
				return true
			}
			removed++
			return false
		}
	}
	s.mutex.Unlock()
	must(t, s.sweepNow())
	const more = 20
	p.fill(t, first, first+more, now)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if walks > 3 { // one of them is the replica's own
		t.Errorf("%d ids needed %d walks of the map", more, walks)
	}
	if known := p.known(first, first+more); known != more {
		t.Errorf("%d of %d ids are known", known, more)
	}
}

func TestIDsExpireAndThoseOfFormerBackendsAreRemoved(t *testing.T) {
	p, now := newPlace(t), clock()
	services := *copyOf(*p.replica.services.Load())
	services[0].Lifetime = time.Hour
	must(t, p.replica.Set(services))
	a, b, other := p.placeOf(connection4, "a"), p.placeOf(connection4, "b"), p.placeOf(connection6, "a")
	for i, at := range []bpf.Place{a, b, other} {
		must(t, p.replica.stored.put(batchOf(at, 1000*i, 1000*i+100, now-time.Hour)))
		must(t, p.replica.stored.put(batchOf(at, 1000*i+100, 1000*i+200, now-50*time.Minute)))
	}
	check := func(when string, at bpf.Place, first int, want int) {
		t.Helper()
		known := 0
		var entry program.SessionSessionIdEntry
		for n := first; n < first+200; n++ {
			if p.replica.stored.table.Lookup(idOf(at, n), &entry) == nil {
				known++
			}
		}
		if known != want {
			t.Errorf("%s: %d ids, want %d", when, known, want)
		}
	}
	must(t, p.replica.stored.sweepNow())
	check("after an hour", a, 0, 100)
	check("of the other service, which has a day", other, 2000, 200)

	p.without(t, "b")
	services = *copyOf(services)
	services[0].Backends = services[0].Backends[:1]
	must(t, p.replica.Set(services))
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var entry program.SessionSessionIdEntry
		if p.replica.stored.table.Lookup(idOf(b, 1150), &entry) != nil {
			break
		}
	}
	check("of a former backend", b, 1000, 0)
	check("of the others", a, 0, 100)
}

func TestAnAgentThatStartsAgainHasTheIDsAndTheirAges(t *testing.T) {
	p, now := newPlace(t), clock()
	services := *copyOf(*p.replica.services.Load())
	old, young := p.placeOf(connection4, "a"), p.placeOf(connection4, "b")
	must(t, p.replica.stored.put(batchOf(old, 0, 100, now-time.Hour)))
	must(t, p.replica.stored.put(batchOf(young, 100, 200, now)))
	must(t, p.replica.Close())
	must(t, p.engine.Close())
	must(t, p.open())
	must(t, p.set(true))
	services[0].Lifetime = time.Hour
	must(t, p.replica.Set(services))
	must(t, p.replica.stored.sweepNow())
	var entry program.SessionSessionIdEntry
	for n := range 200 {
		at, want := old, false
		if n >= 100 {
			at, want = young, true
		}
		if got := p.replica.stored.table.Lookup(idOf(at, n), &entry) == nil; got != want {
			t.Errorf("id %d is known: %t, want %t", n, got, want)
		}
	}
	if got := p.first(t, connection4, forged("", "", idText(150))); got != "b" {
		t.Errorf("a client goes to %q", got)
	}
}

// Ages count from when companions learnt the ids, also for those that are older than this host.
func TestAReplicaStoresWhenIDsWereLearnt(t *testing.T) {
	p := newPlace(t)
	service := &(*p.replica.services.Load())[0]
	m := numbered("a", 100, 100, 102)
	m.Kind, m.Newest, m.Ages = message.AgedIDs, 102, []time.Duration{7 * 24 * time.Hour, time.Hour}
	p.replica.learn(service, m)
	now, at := clock(), p.placeOf(connection4, "a")
	for i, id := range m.IDs {
		var entry program.SessionSessionIdEntry
		must(t, p.replica.stored.table.Lookup(program.SessionSessionId{Service: at.Service, Id: id}, &entry))
		if age := now - time.Duration(entry.Learnt); age < m.Ages[i] || age > m.Ages[i]+time.Minute {
			t.Errorf("an id of %s has the age %s", m.Ages[i], age)
		}
	}
}

// BenchmarkNewIDs measures new ids at a full replica, each with the walks of the map that find the oldest.
func BenchmarkNewIDs(b *testing.B) {
	p, now := newPlace(b), clock()
	p.fill(b, 0, idsMost, now)
	ids, entries := batchOf(p.placeOf(connection4, "b"), idsMost, idsMost+b.N, now)
	b.ReportAllocs()
	b.ResetTimer()
	for i := range ids {
		must(b, p.replica.stored.put(ids[i:i+1], entries[i:i+1]))
	}
}

// BenchmarkFill measures what a replica stores while it has room.
func BenchmarkFill(b *testing.B) {
	p := newPlace(b)
	ids, entries := batchOf(p.placeOf(connection4, "b"), 0, idsMost, clock())
	b.ResetTimer()
	for i := range b.N {
		at := i * message.IDsMost % idsMost
		must(b, p.replica.stored.put(ids[at:at+message.IDsMost], entries[at:at+message.IDsMost]))
	}
	info, err := p.replica.stored.table.Info()
	must(b, err)
	if bytes, ok := info.Memlock(); ok {
		b.ReportMetric(float64(bytes), "map-bytes")
	}
}

// BenchmarkSweep measures walks of the map.
func BenchmarkSweep(b *testing.B) {
	p := newPlace(b)
	for _, ids := range []int{0, idsMost} {
		p.fill(b, 0, ids, clock())
		b.Run(strconv.Itoa(ids), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				must(b, p.replica.stored.sweepNow())
			}
		})
	}
}

func TestAReplicaClosesInTheMiddleOfAWalk(t *testing.T) {
	p := newPlace(t)
	const batches = 8
	p.fill(t, 0, batches*walkMost, clock())
	walks, read := make(chan struct{}), 0
	p.replica.stored.mutex.Lock()
	p.replica.stored.lives = func() func(program.SessionSessionIdEntry) bool {
		return func(program.SessionSessionIdEntry) bool {
			if read++; read == 1 {
				close(walks)
				<-p.replica.done
			}
			return true
		}
	}
	p.replica.stored.mutex.Unlock()
	p.replica.changed <- struct{}{} // it may have walked already
	select {
	case <-walks:
	case <-time.After(10 * sweepSoon):
		t.Fatal("it doesn't walk")
	}
	must(t, p.replica.Close())
	if read > walkMost {
		t.Errorf("it read %d of %d ids after that", read, batches*walkMost)
	}
}
