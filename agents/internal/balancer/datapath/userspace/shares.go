package userspace

import (
	"sync"
	"sync/atomic"
)

// shares bounds the open connections of all services together, so that a flood of one
// service doesn't keep out clients of the others. Half of them is divided evenly among the
// services: each keeps its part even when it is idle. Services that need more share the
// other half, so a single service may use all.
type shares struct {
	most int64
	open atomic.Int64 // by all

	mu     sync.Mutex
	fronts map[*tcpFront]int64 // open ones of each
}

func (s *shares) join(f *tcpFront) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fronts == nil {
		s.fronts = map[*tcpFront]int64{}
	}
	s.fronts[f] = 0
}

// part is called once the front has no connection left.
func (s *shares) part(f *tcpFront) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.fronts, f)
}

// admit takes a place, which the caller must return.
func (s *shares) admit(f *tcpFront) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hasRoom(f) {
		return false
	}
	s.fronts[f]++
	s.open.Add(1)
	return true
}

func (s *shares) leave(f *tcpFront) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fronts[f]--
	s.open.Add(-1)
}

// full reports whether a front's next client would be rejected.
func (s *shares) full(f *tcpFront) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.hasRoom(f)
}

func (s *shares) hasRoom(f *tcpFront) bool {
	if s.open.Load() >= s.most {
		return false // services were added since, and older ones still have more than their part
	}
	own := s.own()
	if s.fronts[f] < own {
		return true
	}
	shared := s.most - own*int64(len(s.fronts))
	for _, open := range s.fronts {
		shared -= max(0, open-own)
	}
	return shared > 0
}

// own is the part that each front keeps.
func (s *shares) own() int64 { return s.most / 2 / max(1, int64(len(s.fronts))) }
