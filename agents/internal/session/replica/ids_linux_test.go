package replica

import (
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
	var found program.SessionSessionPlace
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

func TestWhatIsKnownOfFormerBackendsIsForgotten(t *testing.T) {
	p := newPlace(t)
	services := *p.replica.services.Load()
	p.replica.learn(&services[0], numbered("a", 100, 100, 103))
	less := *copyOf(services)
	less[0].Backends = less[0].Backends[1:]
	must(t, p.replica.Set(less))
	if n := len(p.replica.ids.last); n != 0 {
		t.Errorf("%d backends", n)
	}
}
