package companion

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/ids"
	"fairlead.dev/agents/internal/session/message"
)

var (
	one   = &Service{Address: netip.MustParseAddrPort("192.0.2.1:443"), Backend: "a"}
	other = &Service{Address: netip.MustParseAddrPort("192.0.2.2:443"), Backend: "b"}
)

func numberedID(n int) (id [message.IDBytes]byte) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

func newOwn() *began { return newBegan(ids.NewRoom[struct{}]()) }

// get returns all ids of a service, as a replica gets them.
func get(t *testing.T, all *began, service *Service, now time.Time) (got []int) {
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

func TestReplicasGetAllIDs(t *testing.T) {
	const most = 5000
	all, now := newOwn(), time.Now()
	if some := all.between(one, 0, 100, now); len(some) != 1 || some[0].Last != all.first || some[0].Newest != all.first || some[0].IDs != nil {
		t.Errorf("before the first: %+v", some)
	}
	for i := range 2 * most {
		if _, isNew := all.add(one, numberedID(i%most), now); isNew != (i < most) { // all are resumed
			t.Fatalf("id %d is new: %t", i, isNew)
		}
	}
	if got := get(t, all, one, now); !isFrom(got, 0, most-1) {
		t.Errorf("%d ids", len(got))
	}
	if got := get(t, all, one, now.Add(message.Lifetime+time.Second)); len(got) != 0 {
		t.Errorf("%d ids that expired", len(got))
	}
}

func TestReplicasOfEarlierVersionsGetAllIDs(t *testing.T) {
	all, now := newOwn(), time.Now()
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
	all, now := newOwn(), time.Now()
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
	all, now := newOwn(), time.Now()
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

func TestIDsOfFormerServicesAreForgotten(t *testing.T) {
	all, now := newOwn(), time.Now()
	all.add(one, numberedID(1), now)
	all.add(other, numberedID(2), now)
	all.keep([]Service{*other})
	if len(get(t, all, one, now)) != 0 || len(get(t, all, other, now)) != 1 || all.room.Len() != 1 {
		t.Errorf("ids of %d services", len(all.of))
	}
}

// A service that comes back begins with the same number again; a companion that starts with its clock set back has lower ones.
func TestAReplicaGetsNewIDsOfAServiceThatComesBack(t *testing.T) {
	all, now := newOwn(), time.Now()
	for i := range 100 {
		all.add(one, numberedID(i), now)
	}
	known := all.after(one, all.first+90, now).Last
	all.keep(nil)
	all.add(one, numberedID(200), now)
	got := all.between(one, known, known+requestMost, now)
	if len(got) != 1 || got[0].Last != known+1 || len(got[0].IDs) != 1 || got[0].IDs[0] != numberedID(200) {
		t.Errorf("after %d: %+v", known, got)
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
