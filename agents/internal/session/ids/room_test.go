package ids

import (
	"encoding/binary"
	"runtime"
	"testing"
	"time"
)

func numbered(n int) (id ID) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

// roomFor returns a room for some ids, and when it was created.
func roomFor(most int) (*Room[string], time.Time) {
	room := NewRoom[string]()
	room.most = most
	return room, room.start
}

// isFrom reports whether a queue has the ids from one number to another one, in this order.
func isFrom(q *Queue[string], lifetime time.Duration, now time.Time, first, last int) bool {
	p := q.After(0, Most, lifetime, now)
	for i, id := range p.IDs {
		if id != numbered(first+i) {
			return false
		}
	}
	return len(p.IDs) == last-first+1 && p.Last == p.Newest && p.Before == p.Newest-uint64(len(p.IDs))
}

func TestTheOldestOfAllQueuesIsDroppedFirst(t *testing.T) {
	const most = 1000
	room, start := roomFor(most)
	a, b := room.NewQueue(7), room.NewQueue(0)
	for i := range most / 2 {
		a.Add(numbered(i), "", time.Hour, start.Add(time.Duration(i)*time.Second))
		b.Add(numbered(i), "", time.Hour, start.Add(time.Duration(i)*time.Second+1))
	}
	now := start.Add(most * time.Second)
	for i := range 300 {
		a.Add(numbered(most/2+i), "", time.Hour, now)
	}
	if !isFrom(a, time.Hour, now, 150, most/2+299) || !isFrom(b, time.Hour, now, 150, most/2-1) || room.Len() != most {
		t.Errorf("%d and %d ids of %d", a.count, b.count, room.Len())
	}
}

func TestIDsExpire(t *testing.T) {
	room, start := roomFor(10000)
	a, b := room.NewQueue(0), room.NewQueue(0)
	for i := range 600 {
		a.Add(numbered(i), "", time.Hour, start.Add(time.Duration(i)*time.Second))
		b.Add(numbered(i), "", 2*time.Hour, start.Add(time.Duration(i)*time.Second))
	}
	now := start.Add(time.Hour + 299*time.Second)
	if !isFrom(a, time.Hour, now, 299, 599) || !isFrom(b, 2*time.Hour, now, 0, 599) {
		t.Errorf("%d and %d ids are left", a.count, b.count)
	}
	if p := a.After(0, 1, time.Hour, now); len(p.Ages) != 1 || p.Ages[0] != time.Hour {
		t.Errorf("ages %v", p.Ages)
	}
	if age, ok := a.Age(numbered(500), time.Hour, now); !ok || age != time.Hour+299*time.Second-500*time.Second {
		t.Errorf("age %s, known: %t", age, ok)
	}
	if _, ok := a.Age(numbered(298), time.Hour, now); ok {
		t.Error("an id that expired has an age")
	}
	if _, ok := a.Value(numbered(599), time.Hour, start.Add(2*time.Hour)); ok || room.Len() != 600 || a.blocks != nil {
		t.Errorf("known: %t, of %d", ok, room.Len())
	}
}

func TestASessionThatIsResumedKeepsItsPlaceAndAge(t *testing.T) {
	room, start := roomFor(1000)
	q := room.NewQueue(0)
	for _, backend := range []string{"a", "b"} {
		for i := range 600 {
			if _, isNew := q.Add(numbered(i), backend, time.Hour, start.Add(time.Duration(i))); isNew != (backend == "a") {
				t.Fatalf("id %d at %s is new: %t", i, backend, isNew)
			}
		}
	}
	if got, ok := q.Value(numbered(7), time.Hour, start); !ok || got != "b" || !isFrom(q, time.Hour, start, 0, 599) {
		t.Errorf("%q, of %d", got, q.count)
	}
	if _, isNew := q.Add(numbered(7), "c", time.Hour, start.Add(2*time.Hour)); !isNew || room.Len() != 1 {
		t.Errorf("after the lifetime it is new: %t, of %d", isNew, room.Len())
	}
}

func TestIDsFollowTheNumbersOfAFormerQueue(t *testing.T) {
	room, now := roomFor(1000)
	q := room.NewQueue(7)
	for i := range 600 {
		q.Add(numbered(i), "", time.Hour, now)
	}
	for _, former := range []uint64{8000, 1 << 62} {
		p := q.After(former, 300, time.Hour, now)
		if p.Before != former || p.Last != former+300 || p.Newest != former+600 || p.IDs[0] != numbered(0) {
			t.Errorf("after %d: until %d of %d to %d", former, p.Last, p.Before, p.Newest)
		}
		if p = q.After(p.Last, 300, time.Hour, now); p.Last != p.Newest || p.IDs[0] != numbered(300) {
			t.Errorf("after %d: until %d of %d to %d", former+300, p.Last, p.Before, p.Newest)
		}
	}
	if p, isNew := q.Add(numbered(600), "", time.Hour, now); !isNew || p.Last != 1<<62+601 {
		t.Errorf("the next one has the number %d", p.Last)
	}
	if p := q.After(^uint64(0), 300, time.Hour, now); p.IDs != nil || p.Newest != p.Last || p.Before != 1<<62 {
		t.Errorf("after the highest number: until %d of %d to %d", p.Last, p.Before, p.Newest)
	}
	if _, known := q.Value(numbered(599), time.Hour, now); !known || !isFrom(q, time.Hour, now, 0, 600) {
		t.Errorf("known: %t, of %d", known, q.count)
	}
	if q.After(1, 1, time.Hour, now.Add(2*time.Hour)); len(q.turns) != 0 {
		t.Errorf("%d turns of ids that expired", len(q.turns))
	}
}

func TestAClosedQueueTakesNoRoom(t *testing.T) {
	room, now := roomFor(10)
	a, b := room.NewQueue(0), room.NewQueue(0)
	a.Add(numbered(1), "", time.Hour, now)
	b.Add(numbered(2), "", time.Hour, now)
	a.Close()
	if _, isNew := a.Add(numbered(3), "", time.Hour, now); isNew || room.Len() != 1 || len(room.queues) != 1 {
		t.Errorf("%d ids of %d queues", room.Len(), len(room.queues))
	}
}

// BenchmarkAdd measures what an id costs.
func BenchmarkAdd(b *testing.B) {
	q, now := NewRoom[struct{}]().NewQueue(0), time.Now()
	before := liveBytes()
	for i := range b.N {
		q.Add(numbered(i), struct{}{}, time.Hour, now)
	}
	b.StopTimer()
	b.ReportMetric(float64(liveBytes()-before)/float64(q.count), "live-B/id")
}

func liveBytes() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
