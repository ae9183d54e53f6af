package companion

import (
	"encoding/binary"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/message"
)

var (
	one   = &Service{Address: netip.MustParseAddrPort("192.0.2.1:443"), Backend: "a"}
	other = &Service{Address: netip.MustParseAddrPort("192.0.2.2:443"), Backend: "b", Lifetime: time.Hour}
)

func numberedID(n int) (id [message.IDBytes]byte) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

// roomFor returns ids with room for some, and when the room was created.
func roomFor(most int) (ids, time.Time) {
	room := NewRoom()
	room.most = most
	return newIDs(room), room.start
}

// get returns all ids of a service, as a replica gets them.
func get(t *testing.T, all *ids, service *Service, now time.Time) (got []int) {
	t.Helper()
	for number := uint64(0); ; {
		some := all.between(service, number, number+requestMost, now)
		for _, m := range some {
			if first := m.Last - uint64(len(m.IDs)); first != number && (number != 0 || first != m.Before) {
				t.Fatalf("ids after %d follow those until %d", first, number)
			}
			number = m.Last
			for _, id := range m.IDs {
				got = append(got, int(binary.BigEndian.Uint32(id[:])))
			}
		}
		if last := some[len(some)-1]; last.Last == last.Newest {
			return got
		}
	}
}

func isFrom(got []int, first, last int) bool {
	for i, n := range got {
		if n != first+i {
			return false
		}
	}
	return len(got) == last-first+1
}

func TestReplicasGetAllIDsThatFit(t *testing.T) {
	const most = 5000
	all, now := roomFor(most)
	if some := all.between(one, 0, 100, now); len(some) != 1 || some[0].Last != all.first || some[0].Newest != all.first || some[0].IDs != nil {
		t.Errorf("before the first: %+v", some)
	}
	const more = 700
	for i := range most + more {
		all.add(one, numberedID(i), now)
	}
	if got := get(t, &all, one, now); !isFrom(got, more, most+more-1) {
		t.Errorf("%d ids", len(got))
	}
}

func TestReplicasOfEarlierVersionsGetAllIDs(t *testing.T) {
	all, now := roomFor(1000)
	for i := range 3 * message.IDsMost {
		all.add(one, numberedID(i), now)
	}
	var got []int
	for number := uint64(0); ; {
		some := all.after(one, number, now)
		if some.Kind != message.SessionIDs || len(some.IDs) > message.IDsMost {
			t.Fatalf("%+v", some)
		}
		for _, id := range some.IDs {
			got = append(got, int(binary.BigEndian.Uint32(id[:])))
		}
		if number = some.Last; len(some.IDs) < message.IDsMost {
			break
		}
	}
	if !isFrom(got, 0, 3*message.IDsMost-1) {
		t.Errorf("%v", got)
	}
}

func TestOnlyTheReplicaThatSignedARequestGetsABatch(t *testing.T) {
	all, now := roomFor(5000)
	for i := range 5000 {
		all.add(one, numberedID(i), now)
	}
	replica, victim := netip.MustParseAddrPort("10.9.0.1:7447"), netip.MustParseAddrPort("10.9.0.2:7447")
	request := message.Message{Kind: message.RequestIDs, Client: replica, Until: requestMost}
	if got := all.answer(one, request, replica, now); len(got) != (requestMost+message.AgedMost(one.Backend)-1)/message.AgedMost(one.Backend) {
		t.Errorf("%d messages", len(got))
	}
	if got := all.answer(one, request, victim, now); len(got) != 1 || len(got[0].IDs) != message.IDsMost {
		t.Errorf("a replayed request has %d answers", len(got))
	}
}

func TestARequestIsBounded(t *testing.T) {
	all, now := roomFor(1 << 14)
	for i := range 1 << 14 {
		all.add(one, numberedID(i), now)
	}
	for _, c := range []struct {
		last, until uint64
		want        int
	}{{0, 1 << 60, requestMost}, {all.first + 7, all.first + 8, 1}, {all.first + 8, all.first + 8, 0}, {all.first + 8, 3, 0}, {^uint64(0), ^uint64(0), 0}} {
		got := 0
		for _, m := range all.between(one, c.last, c.until, now) {
			got += len(m.IDs)
		}
		if got != c.want {
			t.Errorf("after %d until %d: %d ids, want %d", c.last, c.until, got, c.want)
		}
	}
}

func TestTheOldestOfAllServicesIsDroppedFirst(t *testing.T) {
	const most = 1000
	a, start := roomFor(most)
	b := newIDs(a.room) // of another companion
	for i := range most / 2 {
		a.add(one, numberedID(i), start.Add(time.Duration(i)*time.Second))
		b.add(one, numberedID(i), start.Add(time.Duration(i)*time.Second+1))
	}
	now := start.Add(most * time.Second)
	for i := range 300 {
		a.add(one, numberedID(most/2+i), now)
	}
	if got := get(t, &a, one, now); !isFrom(got, 150, most/2+299) {
		t.Errorf("%d ids of one companion", len(got))
	}
	if got := get(t, &b, one, now); !isFrom(got, 150, most/2-1) {
		t.Errorf("%d ids of the other one", len(got))
	}
}

func TestIDsExpireWithTheSessionsOfTheirService(t *testing.T) {
	all, start := roomFor(10000)
	for i := range 600 {
		all.add(one, numberedID(i), start.Add(time.Duration(i)*time.Second))
		all.add(other, numberedID(i), start.Add(time.Duration(i)*time.Second))
	}
	now := start.Add(time.Hour + 299*time.Second)
	if got := get(t, &all, other, now); !isFrom(got, 299, 599) {
		t.Errorf("%d ids after an hour", len(got))
	}
	if got := get(t, &all, one, now); !isFrom(got, 0, 599) {
		t.Errorf("%d ids of the other service", len(got))
	}
	m := all.between(other, 0, 1, now)[0]
	if want := time.Hour; len(m.Ages) != 1 || m.Ages[0] != want {
		t.Errorf("ages %v, want %v", m.Ages, want)
	}
	if got := get(t, &all, other, start.Add(2*time.Hour)); len(got) != 0 || all.room.count != 600 || len(all.of[other.Address].blocks) != 0 {
		t.Errorf("%d ids are sent, %d are stored", len(got), all.room.count)
	}
}

func TestASessionThatIsResumedKeepsItsPlaceAndAge(t *testing.T) {
	all, start := roomFor(1000)
	for round := range 3 {
		for i := range 600 {
			if _, isNew := all.add(other, numberedID(i), start); isNew != (round == 0) {
				t.Fatalf("id %d is new in round %d: %t", i, round, isNew)
			}
		}
	}
	if got := get(t, &all, other, start); !isFrom(got, 0, 599) {
		t.Errorf("%d ids", len(got))
	}
	now := start.Add(2 * time.Hour) // the session has expired, so its server begins another one
	if _, isNew := all.add(other, numberedID(7), now); !isNew || all.room.count != 1 {
		t.Errorf("after the lifetime, it is new: %t", isNew)
	}
}

func TestIDsOfFormerServicesAreForgotten(t *testing.T) {
	all, now := roomFor(10)
	all.add(one, numberedID(1), now)
	all.add(other, numberedID(2), now)
	all.keep([]Service{*other})
	if len(get(t, &all, one, now)) != 0 || len(get(t, &all, other, now)) != 1 || all.room.count != 1 || len(all.room.all) != 1 {
		t.Errorf("ids of %d services", len(all.of))
	}
}

func TestAReplicaGetsABoundedNumberOfMessages(t *testing.T) {
	var sent sentIDs
	now, got := time.Unix(1_800_000_000, 0), 0
	for range 2 * sentMost {
		if sent.allows(one.Address, now) {
			got++
		}
	}
	if got != sentMost || !sent.allows(other.Address, now) || !sent.allows(one.Address, now.Add(time.Second)) {
		t.Errorf("%d messages", got)
	}
}

// BenchmarkFill measures what a full room costs.
func BenchmarkFill(b *testing.B) {
	all, now := newIDs(NewRoom()), time.Now()
	b.ReportAllocs()
	before := liveBytes()
	b.ResetTimer()
	for i := range b.N {
		all.add(one, numberedID(i), now)
	}
	b.StopTimer()
	b.ReportMetric(float64(liveBytes()-before)/float64(all.room.count), "live-B/id")
}

func liveBytes() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
