package replica

import (
	"net/netip"
	"slices"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

// numbered returns ids with the numbers after first, as a companion sends them.
func numbered(backend string, before, first, last uint64) message.Message {
	m := message.Message{Kind: message.SessionIDs, Backend: backend, Before: before, Last: last}
	for n := first; n < last; n++ {
		m.IDs = append(m.IDs, [message.IDBytes]byte{byte(n >> 8), byte(n), 'i'})
	}
	return m
}

// hasID reports whether the program finds the id after a number.
func (p *place) hasID(t *testing.T, number uint64) bool {
	t.Helper()
	service := (*p.replica.services.Load())[0]
	at, _ := p.replica.joint.PlaceOf(service.Key, "a")
	var found program.SessionSessionIdEntry
	key := program.SessionSessionId{Service: at.Service, Id: numbered("a", 0, number, number+1).IDs[0]}
	return p.replica.collection.Maps[program.SessionMapSessionIds].Lookup(key, &found) == nil
}

func TestIDsOfACompanionThatStartedAgainAreLearnt(t *testing.T) {
	p := newPlace(t)
	service := &(*p.replica.services.Load())[0]
	p.replica.learn(service, numbered("a", 100, 100, 103))
	p.replica.learn(service, numbered("a", 5000, 5000, 5002)) // its answer begins with its oldest
	if !p.hasID(t, 5001) {
		t.Error("the ids after the start are unknown, so they are requested again and again")
	}
	p.replica.learn(service, numbered("a", 5000, 5004, 5005))
	if p.hasID(t, 5004) {
		t.Error("an id is stored although earlier ones are missing: they are never requested")
	}
	p.replica.learn(service, numbered("a", 5000, 5002, 5005))
	if !p.hasID(t, 5002) || !p.hasID(t, 5004) {
		t.Error("the missing ids aren't stored")
	}
}

func TestAReplicaThatStartsLearnsTheOldestIDsFirst(t *testing.T) {
	p := newPlace(t)
	service := &(*p.replica.services.Load())[0]
	p.replica.learn(service, numbered("a", 100, 108, 109)) // the server begins a session meanwhile
	p.replica.learn(service, numbered("a", 100, 100, 109))
	for n := uint64(100); n < 109; n++ {
		if !p.hasID(t, n) {
			t.Errorf("id %d is unknown", n)
		}
	}
}

// companions gives the backends companions that don't answer.
func (p *place) companions(t *testing.T) *Service {
	t.Helper()
	services := *copyOf(*p.replica.services.Load())
	for i := range services[0].Backends {
		services[0].Backends[i].Companion = netip.MustParseAddrPort("10.9.0.1:9")
	}
	must(t, p.replica.Set(services))
	return &(*p.replica.services.Load())[0]
}

func TestABackendLacksNothingOnceItsCompanionHasNoMoreIDs(t *testing.T) {
	p := newPlace(t)
	service := p.companions(t)
	news := 0
	p.replica.WhenIDsChange(func() { news++ })
	check := func(when string, wantNews int, want ...string) {
		t.Helper()
		if got := p.replica.LacksIDs(service.Key); !slices.Equal(got, want) || news != wantNews {
			t.Errorf("%s: %v lack ids, after %d calls", when, got, news)
		}
	}
	check("at the start", 0, "a", "b")
	p.replica.learn(service, numbered("b", 500, 500, 500))
	check("b has none", 1, "a")
	p.replica.learn(service, numbered("a", 100, 140, 141)) // the server begins a session meanwhile
	check("a has earlier ones", 1, "a")
	p.replica.learn(service, numbered("a", 100, 100, 100+message.IDsMost))
	check("there may be more", 1, "a")
	p.replica.learn(service, numbered("a", 100, 100+message.IDsMost, 100+message.IDsMost))
	check("there are no more", 2)
	p.replica.learn(service, numbered("a", 100, 200, 201))
	check("one was lost since", 2)
}

// Clients don't return to a backend that is down or drains.
func TestOnlyIDsOfBackendsThatGetClientsAreLacking(t *testing.T) {
	p := newPlace(t)
	p.companions(t)
	services := *copyOf(*p.replica.services.Load())
	services[0].Backends[0].Resumes = false
	must(t, p.replica.Set(services))
	if got := p.replica.LacksIDs(services[0].Key); !slices.Equal(got, []string{"b"}) {
		t.Errorf("%v", got)
	}
	services[0].WithoutIDs = true
	must(t, p.replica.Set(services))
	if got := p.replica.LacksIDs(services[0].Key); got != nil {
		t.Errorf("without ids, %v", got)
	}
}

func TestWhatIsKnownOfFormerBackendsIsForgotten(t *testing.T) {
	p := newPlace(t)
	services := *p.replica.services.Load()
	p.replica.learn(&services[0], numbered("a", 100, 100, 103))
	less := *copyOf(services)
	less[0].Backends = less[0].Backends[1:]
	must(t, p.replica.Set(less))
	if known := p.replica.ids.of[ofBackend{services[0].Key, "a"}]; known != nil {
		t.Errorf("%+v", known)
	}
}
