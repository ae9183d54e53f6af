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

// silentCompanions gives all backends companions that don't answer, and returns the first service.
func (p *place) silentCompanions(t *testing.T) *Service {
	t.Helper()
	services := *copyOf(*p.replica.services.Load())
	for i := range services {
		for j := range services[i].Backends {
			services[i].Backends[j].Companion = netip.AddrPortFrom(netip.MustParseAddr("10.9.0.10"), uint16(7001+j))
		}
	}
	must(t, p.replica.Set(services))
	return &services[0]
}

// A socket of a connection that ended (TIME_WAIT) is used only if no other backend has the connection.
func TestABackendThatHasAConnectionGoesBeforeOneThatHadIt(t *testing.T) {
	p := newPlace(t)
	service := p.silentCompanions(t)
	for number, c := range []struct {
		other message.Kind
		want  string
	}{{message.Has, "b"}, {message.HasNot, "a"}} {
		of := connection4
		of.Client = netipPort(of.Client, uint16(41000+number))
		key, flow := keyOf(of)
		p.replica.search(flow, nil)
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
	p.replica.lacked.since[flow] = lacking{time.Now().Add(-2 * lacksSpan), p.replica.placedUntil(flow)}
	p.replica.lacked.mutex.Unlock()
	if report() {
		t.Error("the connection stays at its backend, so its client gets no answer")
	}
}

// A part that its client sent again may overtake the first one, and its backend reports it. What is known of an earlier
// connection on the same ports must not end this one.
func TestAReportOfTheBeginningEndsNoConnection(t *testing.T) {
	p := newPlace(t)
	service := p.silentCompanions(t)
	for number, leave := range []func(flow program.FlowKey){
		func(flow program.FlowKey) { // its hint was wrong
			must(t, p.replica.collection.Maps[program.SessionMapSessionHinted].Put(flow, uint64(1)))
		},
		func(flow program.FlowKey) { // its backend lacked it
			p.replica.lacked.lasts(flow, 1, time.Now().Add(-2*lacksSpan))
		},
	} {
		of := connection4
		of.Client = netipPort(of.Client, uint16(42000+number))
		_, flow := keyOf(of)
		leave(flow)
		p.pass(t, p.afterSYN(t, of, 1000, 0, nil, forged(string(nameA[:])+"...", "", "")))
		p.replica.handle(service, message.Message{Kind: message.HasNot, Backend: "a", Client: of.Client})
		var entry program.FlowEntry
		if err := p.replica.joint.Maps[program.TcxMapConnections].Lookup(flow, &entry); err != nil {
			t.Errorf("%d: the connection isn't known any more: %v", number, err)
		}
	}
}

// The report may be older than the connection there.
func TestABackendThatLacksAConnectionIsQueriedToo(t *testing.T) {
	p := newPlace(t)
	service := p.silentCompanions(t)
	_, flow := keyOf(connection4)
	p.pass(t, p.afterSYN(t, connection4, 1000, 0, nil, forged(string(nameA[:])+"...", "", "")))
	must(t, p.replica.collection.Maps[program.SessionMapSessionHinted].Put(flow, uint64(0))) // as by a hint
	p.replica.handle(service, message.Message{Kind: message.HasNot, Backend: "a", Client: connection4.Client})
	p.replica.searches.mutex.Lock()
	s := p.replica.searches.byFlow[flow]
	isQueried := s != nil && s.waits["a"].IsValid()
	p.replica.searches.mutex.Unlock()
	if !isQueried {
		t.Fatal("only others are queried: if none has it, the connection is reset")
	}
	p.replica.handle(service, message.Message{Kind: message.HasNot, Backend: "b", Client: connection4.Client})
	p.replica.handle(service, message.Message{Kind: message.Has, Backend: "a", Client: connection4.Client})
	if got := p.placedAt(t, connection4); got != "a" {
		t.Errorf("it is placed at %q", got)
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
