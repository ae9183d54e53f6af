package userspace

import (
	"container/list"
	"sync"
	"sync/atomic"
)

// young holds the sessions of a front whose client has sent only one datagram, the oldest
// first. A single datagram may have a spoofed source, so these are the first to be ended.
type young struct {
	list.List
	count atomic.Int64 // length of the list, readable without the lock
}

func (y *young) add(s *session) {
	s.young = y.PushBack(s)
	y.count.Store(int64(y.Len()))
}

func (y *young) remove(s *session) {
	if s.young != nil {
		y.Remove(s.young)
		s.young = nil
		y.count.Store(int64(y.Len()))
	}
}

// crowd is the fronts that share a room.
type crowd struct {
	mu     sync.Mutex
	fronts map[*udpFront]struct{}
}

func (c *crowd) join(f *udpFront) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fronts == nil {
		c.fronts = map[*udpFront]struct{}{}
	}
	c.fronts[f] = struct{}{}
}

func (c *crowd) leave(f *udpFront) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.fronts, f)
}

// largest returns the front with the most young sessions; the given one unless another
// has more.
func (c *crowd) largest(f *udpFront) *udpFront {
	c.mu.Lock()
	defer c.mu.Unlock()
	for other := range c.fronts {
		if other.young.count.Load() > f.young.count.Load() {
			f = other
		}
	}
	return f
}
