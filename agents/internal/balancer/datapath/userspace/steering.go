package userspace

import (
	"container/list"
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// What is stored at most. Then the oldest is forgotten.
const (
	steeredMost    = 65536
	heldMost       = 1024 // clients' attempts, or datagrams, of all held connections
	heldOfFlowMost = 32
)

// steering has the connections that are placed one by one.
type steering struct {
	services atomic.Pointer[map[datapath.Key]*service]

	mu     sync.Mutex
	flows  map[steeredKey]*list.Element
	oldest *list.List // of *steered
	holds  *list.List // of *steered: those that are held, the oldest first
	held   int        // of all of them
}

type steeredKey struct {
	service datapath.Key
	client  netip.AddrPort
}

type steered struct {
	key     steeredKey
	backend string
	until   time.Time
	hold    *time.Timer   // that ends it; nil while it is not held
	of      *list.Element // in holds
	held    []end         // of what waits for that
}

// end ends the wait of a held connection, or of a datagram, which may not go on if there is
// no room for it.
type end func(goesOn bool)

var _ datapath.Steering = (*steering)(nil)

func newSteering() *steering {
	s := &steering{flows: map[steeredKey]*list.Element{}, oldest: list.New(), holds: list.New()}
	s.services.Store(&map[datapath.Key]*service{})
	return s
}

// Put sends a connection that begins before that time to a backend.
func (s *steering) Put(flow datapath.Flow, until time.Time) error {
	var b *backend
	if service := (*s.services.Load())[flow.Service]; service != nil {
		b, _ = service.view.Load().keeper(flow.Backend)
	}
	if b == nil {
		return fmt.Errorf("place a connection of %s: service %s has no backend %q that keeps connections: set it first", flow.Client, flow.Service, flow.Backend)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.at(steeredKey{flow.Service, flow.Client})
	one.backend, one.until = flow.Backend, until
	return nil
}

// Hold keeps a connection waiting.
func (s *steering) Hold(flow datapath.Flow, until time.Time) error {
	if err := datapath.CheckHold(until); err != nil {
		return fmt.Errorf("hold a connection of %s: %w", flow.Client, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.at(steeredKey{flow.Service, flow.Client})
	if one.hold == nil {
		one.of = s.holds.PushBack(one)
	} else {
		one.hold.Stop()
	}
	var timer *time.Timer // set before expire can have the lock
	timer = time.AfterFunc(time.Until(until), func() { s.expire(one, &timer) })
	one.hold = timer
	return nil
}

// expire ends a hold, unless another one has begun since.
func (s *steering) expire(one *steered, timer **time.Timer) {
	s.mu.Lock()
	if one.hold != *timer {
		s.mu.Unlock()
		return
	}
	held := s.end(one)
	s.mu.Unlock()
	endAll(held, true)
}

// Release lets a held connection continue.
func (s *steering) Release(flow datapath.Flow) error {
	s.mu.Lock()
	var held []end
	if found := s.flows[steeredKey{flow.Service, flow.Client}]; found != nil {
		held = s.end(found.Value.(*steered))
	}
	s.mu.Unlock()
	endAll(held, true)
	return nil
}

// end ends a hold, and returns what waited for that.
func (s *steering) end(one *steered) (held []end) {
	if one.hold != nil {
		one.hold.Stop()
		s.holds.Remove(one.of)
		one.hold, one.of = nil, nil
	}
	held, one.held = one.held, nil
	s.held -= len(held)
	return held
}

func endAll(held []end, goOn bool) {
	for _, one := range held {
		one(goOn)
	}
}

// at returns the entry of a connection, which is now the youngest.
func (s *steering) at(key steeredKey) *steered {
	if found := s.flows[key]; found != nil {
		s.oldest.MoveToBack(found)
		return found.Value.(*steered)
	}
	for s.oldest.Len() >= steeredMost {
		first := s.oldest.Remove(s.oldest.Front()).(*steered)
		delete(s.flows, first.key)
		go endAll(s.end(first), true)
	}
	one := &steered{key: key}
	s.flows[key] = s.oldest.PushBack(one)
	return one
}

func (s *steering) isHeld(key datapath.Key, client netip.AddrPort) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.flows[steeredKey{key, client}]
	return found != nil && found.Value.(*steered).hold != nil
}

// waits reports whether a connection is held, and whether it will be called when that ends:
// there is only room for so many. The oldest connection loses its place first.
func (s *steering) waits(key datapath.Key, client netip.AddrPort, ends end) (held, called bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.flows[steeredKey{key, client}]
	if found == nil || found.Value.(*steered).hold == nil {
		return false, false
	}
	one := found.Value.(*steered)
	if len(one.held) == heldOfFlowMost || s.held >= heldMost && !s.makeRoom(one) {
		return true, false
	}
	one.held = append(one.held, ends)
	s.held++
	return true, true
}

// makeRoom makes room for one more of a connection, and reports whether there is any.
func (s *steering) makeRoom(wanted *steered) bool {
	for at := s.holds.Front(); at != nil; at = at.Next() {
		first := at.Value.(*steered)
		if first == wanted {
			return false
		}
		if len(first.held) > 0 {
			lost := first.held
			first.held = nil
			s.held -= len(lost)
			go endAll(lost, false)
			return true
		}
	}
	return false
}

// backendOf returns the backend where a connection was put; nil if nowhere, or if that can't
// take it now.
func (s *steering) backendOf(v *view, key datapath.Key, client netip.AddrPort) *backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.flows[steeredKey{key, client}]
	if found == nil || !time.Now().Before(found.Value.(*steered).until) {
		return nil
	}
	return v.upKeeper(found.Value.(*steered).backend)
}

// upKeeper returns a backend that keeps its connections and is up; nil if there is none.
func (v *view) upKeeper(id string) *backend {
	if b, up := v.keeper(id); up {
		return b
	}
	return nil
}

// keeper returns a backend that keeps its connections, and whether it is up.
func (v *view) keeper(id string) (b *backend, up bool) {
	for i, b := range v.backends {
		if wanted := v.wanted.Backends[i]; b.id == id && v.wanted.Keeps(wanted) {
			return b, wanted.Up
		}
	}
	return nil, false
}
