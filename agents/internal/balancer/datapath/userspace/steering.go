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
	steeredMost = 65536
	heldMost    = 64 // clients' attempts of one held connection, or datagrams
)

// steering has the connections that are placed one by one.
type steering struct {
	services atomic.Pointer[map[datapath.Key]*service]

	mu     sync.Mutex
	flows  map[steeredKey]*list.Element
	oldest *list.List // of *steered
}

type steeredKey struct {
	service datapath.Key
	client  netip.AddrPort
}

type steered struct {
	key     steeredKey
	backend string
	until   time.Time
	hold    *time.Timer // that ends it; nil while it is not held
	held    []func()    // what continues then
}

var _ datapath.Steering = (*steering)(nil)

func newSteering() *steering {
	s := &steering{flows: map[steeredKey]*list.Element{}, oldest: list.New()}
	s.services.Store(&map[datapath.Key]*service{})
	return s
}

// Put sends a connection that begins before that time to a backend.
func (s *steering) Put(flow datapath.Flow, until time.Time) error {
	service := (*s.services.Load())[flow.Service]
	if service == nil || service.view.Load().keeper(flow.Backend) == nil {
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
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.at(steeredKey{flow.Service, flow.Client})
	if one.hold != nil {
		one.hold.Stop()
	}
	one.hold = time.AfterFunc(time.Until(until), func() { _ = s.Release(flow) })
	return nil
}

// Release lets a held connection continue.
func (s *steering) Release(flow datapath.Flow) error {
	for _, goOn := range s.take(steeredKey{flow.Service, flow.Client}) {
		goOn()
	}
	return nil
}

func (s *steering) take(key steeredKey) (held []func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.flows[key]; found != nil {
		one := found.Value.(*steered)
		held = one.end()
	}
	return held
}

// end ends the hold.
func (s *steered) end() (held []func()) {
	if s.hold != nil {
		s.hold.Stop()
		s.hold = nil
	}
	held, s.held = s.held, nil
	return held
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
		for _, goOn := range first.end() {
			go goOn()
		}
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

// waits reports whether a connection is held, and whether goOn is called when that ends: the
// number of those is limited.
func (s *steering) waits(key datapath.Key, client netip.AddrPort, goOn func()) (held, goesOn bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.flows[steeredKey{key, client}]
	if found == nil || found.Value.(*steered).hold == nil {
		return false, false
	}
	one := found.Value.(*steered)
	if len(one.held) == heldMost {
		return true, false
	}
	one.held = append(one.held, goOn)
	return true, true
}

// backendOf returns the backend where a connection was put; nil if nowhere.
func (s *steering) backendOf(v *view, key datapath.Key, client netip.AddrPort) *backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := s.flows[steeredKey{key, client}]
	if found == nil || !time.Now().Before(found.Value.(*steered).until) {
		return nil
	}
	return v.keeper(found.Value.(*steered).backend)
}

// keeper returns a backend that keeps its connections.
func (v *view) keeper(id string) *backend {
	for i, b := range v.backends {
		if b.id == id && v.wanted.Keeps(v.wanted.Backends[i]) {
			return b
		}
	}
	return nil
}
