package replica

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/cookie"
	"fairlead.dev/agents/internal/session/message"
)

// A socket of a connection that ended (TIME_WAIT) is used only if no other backend has the connection.
func TestABackendThatHasAConnectionGoesBeforeOneThatHadIt(t *testing.T) {
	p := newPlace(t)
	services := *copyOf(*p.replica.services.Load())
	for i := range services {
		for j := range services[i].Backends {
			services[i].Backends[j].Companion = netip.AddrPortFrom(netip.MustParseAddr("10.9.0.10"), uint16(7001+j))
		}
	}
	must(t, p.replica.Set(services))
	service := &services[0]
	for number, c := range []struct {
		other message.Kind
		want  string
	}{{message.Has, "b"}, {message.HasNot, "a"}} {
		of := connection4
		of.Client = netipPort(of.Client, uint16(41000+number))
		key, flow := keyOf(of)
		p.replica.search(flow, nil, "")
		p.replica.handle(service, message.Message{Kind: message.Had, Backend: "a", Client: of.Client})
		p.replica.handle(service, message.Message{Kind: c.other, Backend: "b", Client: of.Client})
		var entry program.SteeredFlow
		must(t, p.replica.joint.Maps[program.TcxMapSteeredFlows].Lookup(flow, &entry))
		if at, _ := p.replica.joint.PlaceOf(key, c.want); entry.Slot != at.Slot || entry.Incarnation != at.Incarnation {
			t.Errorf("the other answers %d: the connection isn't at %s: %+v", c.other, c.want, entry)
		}
	}
}

// As after the host of the backend was restarted, or when its reset was lost.
func TestAConnectionThatItsBackendLacksForLongIsPlacedAgain(t *testing.T) {
	p := newPlace(t)
	service := &(*p.replica.services.Load())[0]
	p.pass(t, p.afterSYN(t, connection4, 1000, 0, nil, forged(string(nameA[:])+"...", "", "")))
	_, flow := keyOf(connection4)
	report := func() bool {
		p.replica.handle(service, message.Message{Kind: message.HasNot, Backend: "a", Client: connection4.Client})
		var entry program.FlowEntry
		return p.replica.joint.Maps[program.TcxMapConnections].Lookup(flow, &entry) == nil
	}
	if !report() || !report() {
		t.Error("a report is enough, although its hello may only be lost")
	}
	p.replica.lacked.mutex.Lock()
	p.replica.lacked.since[flow] = time.Now().Add(-2 * lacksSpan)
	p.replica.lacked.mutex.Unlock()
	if report() {
		t.Error("the connection stays at its backend, so its client gets no answer")
	}
}

// Without timestamps, only parts of hellos wait for those before.
func TestAConnectionThatNoBackendHasWaitsOnlyIfItMayBegin(t *testing.T) {
	p := newPlace(t)
	service := &(*p.replica.services.Load())[0]
	_, flow := keyOf(connection4)
	const syn = 1000
	baked := cookie.Bake(p.keys.Current.Cookie, connection4, syn, cookie.EpochAt(time.Now()), cookie.Options{MSS: 1460})
	question := func(seq, ack uint32) *search {
		return &search{service: service, flow: bpf.FlowOf(flow), began: time.Now(), last: &program.SessionSessionQuestion{Seq: seq, Ack: ack, MayBegin: 1}}
	}
	span := func(s *search) time.Duration { return p.replica.lackedUntil(s).Sub(s.began) }
	p.replica.searches.mutex.Lock() // so that no repetition begins
	defer p.replica.searches.mutex.Unlock()
	for range 2 {
		p.replica.searches.guesses = 0
		if got := span(question(syn+1+1460, baked+1)); got != looseSpan {
			t.Errorf("a part of a hello: %s", got)
		}
		old := question(syn+1+1460, baked+1+1<<20)
		for range 3 * guessesMost { // it is compared once
			if got := span(old); got != searchSpan {
				t.Fatalf("another packet: %s", got)
			}
		}
		for range guessesMost {
			span(question(syn, baked))
		}
		if got := span(question(syn, baked)); got != looseSpan {
			t.Errorf("without time to compare it: %s", got)
		}
	}
}
