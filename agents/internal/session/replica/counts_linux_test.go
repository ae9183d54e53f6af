package replica

import (
	"slices"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
)

// versioned adds the list of versions to a hello, as clients of TLS 1.3 do.
func versioned(id string) []byte { return listing([]byte{3, 4}, id) }

// listing returns a hello with these versions.
func listing(versions []byte, id string) []byte {
	body := slices.Concat([]byte{3, 3}, make([]byte, 32), vector(1, []byte(id)), []byte{0, 2, 0x13, 1, 1, 0})
	message := slices.Concat([]byte{1}, vector(3, slices.Concat(body, vector(2, slices.Concat([]byte{0, 43}, vector(2, vector(1, versions)))))))
	return slices.Concat([]byte{22, 3, 1}, vector(2, message))
}

// countsOf returns the counts of the service of connection4, and forgets those of before.
func (p *place) countsOf(t *testing.T, before ServiceCounts) ServiceCounts {
	t.Helper()
	counts, err := p.replica.Observe()
	must(t, err)
	return counts.Services[datapath.Key{Address: connection4.Service.Addr(), Port: connection4.Service.Port(), Protocol: datapath.TCP}].Since(before)
}

func TestHellosAreCountedByWhatTheyNameAndWhereTheyGo(t *testing.T) {
	p := newPlace(t)
	services := *copyOf(*p.replica.services.Load())
	former, rest := [NameBytes]byte([]byte("the key of z 000")), "and what is encrypted"
	services[0].Former = [][NameBytes]byte{former}
	services[0].Backends[1].Resumes = false
	must(t, p.replica.Set(services))
	at, _ := p.replica.joint.PlaceOf(services[0].Key, "a")
	other, _ := p.replica.joint.PlaceOf(services[0].Key, "b")
	ids := p.replica.collection.Maps[program.SessionMapSessionIds]
	knownID, leftID, unknownID := strings.Repeat("k", 32), strings.Repeat("l", 32), strings.Repeat("u", 32)
	must(t, ids.Put(program.SessionSessionId{Service: at.Service, Id: [32]byte([]byte(knownID))}, entryAt(at)))
	must(t, ids.Put(program.SessionSessionId{Service: at.Service, Id: [32]byte([]byte(leftID))}, entryAt(other)))
	a, b, z, u := string(nameA[:])+rest, string(nameB[:])+rest, string(former[:])+rest, "an unknown key..."+rest
	for _, c := range []struct {
		name  string
		hello []byte
		want  ServiceCounts
	}{
		{"a key", forged(a, "", ""), ServiceCounts{ByKey: Outcomes{Home: 1}}},
		{"a key of a backend that takes nothing", forged(b, "", ""), ServiceCounts{ByKey: Outcomes{Gone: 1}}},
		{"a key of a former backend", forged(z, "", ""), ServiceCounts{ByKey: Outcomes{Gone: 1}}},
		{"an unknown key", forged(u, "", ""), ServiceCounts{ByKey: Outcomes{Unknown: 1}}},
		{"a short key", forged("short", "", ""), ServiceCounts{ByKey: Outcomes{Unknown: 1}}},
		{"a ticket", forged("", a, ""), ServiceCounts{ByTicket: Outcomes{Home: 1}}},
		{"a ticket of a backend that takes nothing", forged("", b, ""), ServiceCounts{ByTicket: Outcomes{Gone: 1}}},
		{"an unknown ticket", forged("", u, ""), ServiceCounts{ByTicket: Outcomes{Unknown: 1}}},
		{"an unknown key and a ticket", forged(u, a, ""), ServiceCounts{ByTicket: Outcomes{Home: 1}}},
		{"an unknown key and a ticket of a former backend", forged(u, z, ""), ServiceCounts{ByKey: Outcomes{Unknown: 1}}},
		{"an id", forged("", "", knownID), ServiceCounts{ByID: Outcomes{Home: 1}}},
		{"an id of a backend that takes nothing", forged("", "", leftID), ServiceCounts{ByID: Outcomes{Gone: 1}}},
		{"an unknown id", forged("", "", unknownID), ServiceCounts{ByID: Outcomes{Unknown: 1}}},
		{"a known id of a client that also offers TLS 1.3", versioned(knownID), ServiceCounts{ByID: Outcomes{Home: 1}}},
		{"the random id of TLS 1.3", versioned(unknownID), ServiceCounts{WithoutSession: 1}},
		{"the random id of TLS 1.3 and others", listing([]byte{0x1a, 0x1a, 3, 3, 3, 4}, unknownID), ServiceCounts{WithoutSession: 1}},
		{"an unknown id of a client that lists TLS 1.2 alone, as Go's for each new session", listing([]byte{3, 3}, unknownID), ServiceCounts{WithoutSession: 1}},
		{"a new session", forged("", "", ""), ServiceCounts{WithoutSession: 1}},
		{"no hello", []byte("GET / HTTP/1.1\r\n\r\n"), ServiceCounts{Unreadable: 1}},
	} {
		before := p.countsOf(t, ServiceCounts{})
		if got := p.first(t, connection4, c.hello); got == "" {
			t.Errorf("%s: not sent", c.name)
		}
		if got := p.countsOf(t, before); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func entryAt(at bpf.Place) program.SessionSessionIdEntry {
	return program.SessionSessionIdEntry{Place: program.SessionSessionPlace{Incarnation: at.Incarnation, Slot: at.Slot}, Learnt: uint64(clock())}
}

func TestSessionIDsCanBeOff(t *testing.T) {
	p := newPlace(t)
	services := *copyOf(*p.replica.services.Load())
	services[0].WithoutIDs = true
	must(t, p.replica.Set(services))
	at, _ := p.replica.joint.PlaceOf(services[0].Key, "a")
	id := strings.Repeat("k", 32)
	must(t, p.replica.collection.Maps[program.SessionMapSessionIds].Put(program.SessionSessionId{Service: at.Service, Id: [32]byte([]byte(id))}, entryAt(at)))
	p.replica.learn(&services[0], numbered("a", 100, 100, 103))
	if p.hasID(t, 101) {
		t.Error("an id is learned")
	}
	got := map[string]int{}
	for range 16 {
		got[p.first(t, connection4, forged("", "", id))]++
	}
	if len(got) != 2 || got["a"]+got["b"] != 16 {
		t.Errorf("clients went to %v", got)
	}
	if counts := p.countsOf(t, ServiceCounts{}); counts != (ServiceCounts{WithoutSession: 16}) {
		t.Errorf("counted %+v", counts)
	}
}

func TestASlotOfAnotherServiceBeginsAtZero(t *testing.T) {
	p := newPlace(t)
	p.first(t, connection4, forged("", "", ""))
	services := *copyOf(*p.replica.services.Load())
	must(t, p.replica.Set(services))
	if counts := p.countsOf(t, ServiceCounts{}); counts.WithoutSession != 1 {
		t.Errorf("a second Set changed the counts: %+v", counts)
	}
	must(t, p.replica.Set(services[1:]))
	if counts, err := p.replica.Observe(); err != nil || len(counts.Services) != 1 {
		t.Errorf("counts of former services: %+v, %v", counts.Services, err)
	}
	must(t, p.replica.Set(services))
	if counts := p.countsOf(t, ServiceCounts{}); counts != (ServiceCounts{}) {
		t.Errorf("begins at %+v", counts)
	}
}
