package replica

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
	"fairlead.dev/agents/internal/balancer/datapath/bpf/program"
	"fairlead.dev/agents/internal/session/message"
)

const (
	searchesMost  = 4096
	searchSpan    = 800 * time.Millisecond // then the search ends: a connection without a backend is reset within a second, or after looseSpan
	repeatEvery   = 200 * time.Millisecond
	idsEvery      = 25   // of those
	queriesMost   = 4000 // in one of those: anyone can cause them by forged packets
	wrongHintSpan = time.Minute
	placedSpan    = 5 * time.Second
)

// searches are for the backends of connections.
type searches struct {
	mutex   sync.Mutex
	byFlow  map[program.FlowKey]*search
	queries int // since the last repetition
	guesses int // of begins, since then
}

type search struct {
	service *Service
	flow    datapath.Flow
	waits   map[string]netip.AddrPort // backends that haven't answered, by ID
	had     string                    // a backend where the connection ended: it may have begun again elsewhere
	last    *program.SessionSessionQuestion
	lacked  bool // no backend has it
	guessed bool // whether it begins is known
	isOld   bool // it began before, as far as is known
	began   time.Time
	until   time.Time
}

// followQuestions searches for the backends of connections, until the events are closed.
func (r *Replica) followQuestions(events *program.Events) {
	for {
		question := new(program.SessionSessionQuestion)
		if !events.Next(question) {
			return
		}
		key := program.FlowKey{ClientPort: question.Key.ClientPort, ServicePort: question.Key.ServicePort, Protocol: question.Key.Protocol}
		key.Client.Word, key.Service.Word = question.Key.Client.Word, question.Key.Service.Word
		r.search(key, question)
	}
}

func (r *Replica) serviceAt(at netip.AddrPort) *Service {
	services := *r.services.Load()
	for i := range services {
		if key := services[i].Key; key.Address == at.Addr() && key.Port == at.Port() {
			return &services[i]
		}
	}
	return nil
}

// search queries all companions of a service.
func (r *Replica) search(key program.FlowKey, question *program.SessionSessionQuestion) {
	flow := bpf.FlowOf(key)
	service := r.serviceAt(addressOf(flow.Service))
	if service == nil {
		return
	}
	r.searches.mutex.Lock()
	defer r.searches.mutex.Unlock()
	if running := r.searches.byFlow[key]; running != nil {
		if question != nil {
			running.last = question
		}
		if running.lacked {
			r.keepNone(key)
		}
		return
	}
	if len(r.searches.byFlow) >= searchesMost {
		return // its client sends the packet again
	}
	if question != nil && r.isPlaced(key, question.Seq) {
		return // by its hello, which came after the question
	}
	now := time.Now()
	s := &search{service: service, flow: flow, waits: map[string]netip.AddrPort{}, last: question, began: now, until: now.Add(searchSpan)}
	for _, b := range service.Backends {
		if b.Companion.IsValid() {
			s.waits[b.ID] = b.Companion
		}
	}
	if r.searches.queries+len(s.waits) > queriesMost {
		return
	}
	r.searches.byFlow[key] = s
	r.query(s)
	r.endIfNone(key, s)
}

// query sends what the limit allows.
func (r *Replica) query(s *search) {
	if r.searches.queries += len(s.waits); r.searches.queries > queriesMost {
		return
	}
	sealed := message.Seal(s.service.Keys.Current.Message, time.Now(), message.Message{Kind: message.Find, Service: addressOf(s.flow.Service), Client: s.flow.Client})
	for _, to := range s.waits {
		r.send(sealed, to)
	}
}

func addressOf(key datapath.Key) netip.AddrPort { return netip.AddrPortFrom(key.Address, key.Port) }

// endIfNone resets a connection that no backend has, at the end of its search. Without timestamps, its packet may
// be of a hello whose first part was lost, which the client then sends again, even if it is lost twice. A reset
// isn't answered.
func (r *Replica) endIfNone(key program.FlowKey, s *search) {
	if len(s.waits) > 0 {
		return
	}
	if s.had != "" {
		r.end(key, s, s.had)
		return
	}
	if until := r.lackedUntil(s); time.Now().Before(until) {
		s.lacked, s.until = true, until
		r.keepNone(key)
		return
	}
	delete(r.searches.byFlow, key)
	if s.last != nil && s.last.Ends&uint8(program.SessionPacketEndsWITH_RST) == 0 && !r.isPlaced(key, s.last.Seq) {
		_ = r.joint.Network.Send(int(s.last.Interface), reset(s.last))
	}
}

// keepNone has the engine keep no more packets of a connection, so that the first part of its hello is seen. It may
// have been placed meanwhile.
func (r *Replica) keepNone(key program.FlowKey) {
	steered := r.joint.Maps[program.TcxMapSteeredFlows]
	var entry program.SteeredFlow
	if steered.Lookup(key, &entry) == nil && entry.Incarnation == 0 {
		_ = steered.Delete(key) // it may have expired
	}
}

// begins ends the search of a connection that begins only now.
func (r *Replica) begins(key program.FlowKey) {
	r.searches.mutex.Lock()
	defer r.searches.mutex.Unlock()
	delete(r.searches.byFlow, key)
}

// endLate ends a search that took too long. A companion that doesn't answer may have the
// connection, unless its backend is down: then the client's next packet begins another search.
func (r *Replica) endLate(key program.FlowKey, s *search) {
	for id := range s.waits {
		at, ok := r.joint.PlaceOf(s.service.Key, id)
		if !ok || !r.hasFlags(at.Slot, at.Incarnation, uint8(program.TcxBackendFlagsKEEPS|program.TcxBackendFlagsUP)) {
			delete(s.waits, id)
		}
	}
	if len(s.waits) > 0 {
		delete(r.searches.byFlow, key)
	}
	r.endIfNone(key, s)
}

// receive handles what companions send to a socket, until it is closed.
func (r *Replica) receive(socket *net.UDPConn) {
	buffer := make([]byte, 2048)
	for {
		n, _, err := socket.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue // such as that a companion isn't there
		}
		if m, service, ok := r.open(buffer[:n]); ok {
			r.handle(service, m)
		}
	}
}

func (r *Replica) open(datagram []byte) (m message.Message, service *Service, ok bool) {
	at, ok := message.ServiceOf(datagram)
	if service = r.serviceAt(at); !ok || service == nil {
		return m, nil, false
	}
	m, err := message.OpenAny(service.Keys.Messages(), time.Now(), datagram)
	return m, service, err == nil
}

func (r *Replica) handle(service *Service, m message.Message) {
	key := program.ToFlowKey(service.Key, m.Client)
	switch m.Kind {
	case message.Has:
		r.found(key, m.Backend)
	case message.Had:
		r.had(key, m.Backend)
	case message.HasNot:
		r.lacks(service, key, m.Backend)
	case message.SessionIDs, message.AgedIDs:
		r.queueIDs(m)
	case message.HasID, message.HasNotID:
		r.handleID(service, m)
	}
}

func (r *Replica) found(key program.FlowKey, backend string) {
	r.searches.mutex.Lock()
	defer r.searches.mutex.Unlock()
	if s := r.searches.byFlow[key]; s != nil {
		r.end(key, s, backend)
	}
}

// had handles an answer that counts only if no backend has the connection.
func (r *Replica) had(key program.FlowKey, backend string) {
	r.searches.mutex.Lock()
	defer r.searches.mutex.Unlock()
	if s := r.searches.byFlow[key]; s != nil {
		s.had = backend
		delete(s.waits, backend)
		r.endIfNone(key, s)
	}
}

// end ends a search by placing the connection.
func (r *Replica) end(key program.FlowKey, s *search, backend string) {
	delete(r.searches.byFlow, key)
	s.flow.Backend = backend
	if err := r.joint.Steering.Put(s.flow, time.Now().Add(placedSpan)); err == nil {
		_ = r.joint.Steering.Release(s.flow)
	}
}

// repeat repeats queries, ends searches, and requests session ids that were lost, until Close.
func (r *Replica) repeat() {
	ticker := time.NewTicker(repeatEvery)
	defer ticker.Stop()
	for turn := 1; ; turn++ {
		select {
		case <-r.done:
			return
		case now := <-ticker.C:
			r.searches.mutex.Lock()
			r.searches.queries, r.searches.guesses = 0, 0
			for key, s := range r.searches.byFlow {
				if now.After(s.until) {
					r.endLate(key, s)
				} else {
					r.query(s)
				}
			}
			r.searches.mutex.Unlock()
			r.repeatIDQueries(now)
			if turn%idsEvery == 0 {
				r.lacked.expire(now)
				r.acknowledged.expire(now)
				r.requestIDs()
			} else {
				r.requestSoon()
			}
		}
	}
}
