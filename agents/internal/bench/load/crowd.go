package load

import (
	"container/heap"
	"math"
	"sync"
	"time"
)

// alarm is a timer that calls crowd.ring.
type alarm interface{ Reset(time.Duration) bool }

// crowd assigns each due request to the user that has been free the longest. Without a free user, the request
// waits. Its queue is bounded by the number of requests of the run.
type crowd struct {
	now   func() time.Duration
	serve func(u *user, due time.Duration) // starts a goroutine
	think time.Duration

	lock     sync.Mutex
	free     freeUsers
	waiting  []time.Duration // when each of these requests was due
	busy     int             // users with a request
	alarm    alarm           // for when a user has thought
	alarmAt  time.Duration   // when it rings; 0 if it isn't set
	draining bool
	idle     chan struct{} // closed when all requests are done after the last was due
}

func newCrowd(users []*user, think time.Duration, now func() time.Duration, serve func(*user, time.Duration)) *crowd {
	c := &crowd{now: now, serve: serve, think: think, free: users, idle: make(chan struct{})}
	timer := time.AfterFunc(math.MaxInt64, c.ring)
	timer.Stop() // until it is set
	c.alarm = timer
	return c
}

// arrive assigns a request that is due.
func (c *crowd) arrive(due time.Duration) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.waiting = append(c.waiting, due)
	c.match()
}

// release returns a user after its request, unless a request waits for it. Its think time counts from when its
// request was due, so that a slow subject doesn't slow its users down.
func (c *crowd) release(u *user, due time.Duration) (next time.Duration, more bool) {
	c.lock.Lock()
	defer c.lock.Unlock()
	u.released = c.now()
	u.freeFrom = max(u.released, due+c.think)
	if len(c.waiting) > 0 && u.freeFrom <= u.released {
		return c.takeWaiting(), true
	}
	c.busy--
	heap.Push(&c.free, u)
	c.match()
	return 0, false
}

// drain returns a channel that is closed when no request is left. No request may become due afterwards.
func (c *crowd) drain() <-chan struct{} {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.draining = true
	c.match()
	return c.idle
}

// abandon removes all waiting requests, and returns when they were due.
func (c *crowd) abandon() []time.Duration {
	c.lock.Lock()
	defer c.lock.Unlock()
	left := c.waiting
	c.waiting = nil
	c.match()
	return left
}

// match assigns waiting requests to free users. The lock is held.
func (c *crowd) match() {
	now := c.now()
	for len(c.waiting) > 0 && len(c.free) > 0 && c.free[0].freeFrom <= now {
		u := heap.Pop(&c.free).(*user)
		c.busy++
		c.serve(u, c.takeWaiting())
	}
	if len(c.waiting) > 0 && len(c.free) > 0 { // users think; there are too few
		if first := c.free[0].freeFrom; c.alarmAt == 0 || first < c.alarmAt {
			c.alarmAt = first
			c.alarm.Reset(first - now)
		}
	}
	if c.draining && c.busy == 0 && len(c.waiting) == 0 {
		c.draining = false
		close(c.idle)
	}
}

// ring assigns requests that waited for a user that thought.
func (c *crowd) ring() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.alarmAt = 0
	c.match()
}

func (c *crowd) takeWaiting() time.Duration {
	due := c.waiting[0]
	if c.waiting = c.waiting[1:]; len(c.waiting) == 0 {
		c.waiting = nil // so that the memory of a long queue is released
	}
	return due
}

// freeUsers is a heap: the user that became free first is the first.
type freeUsers []*user

func (f freeUsers) Len() int           { return len(f) }
func (f freeUsers) Less(i, j int) bool { return f[i].freeFrom < f[j].freeFrom }
func (f freeUsers) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *freeUsers) Push(u any)        { *f = append(*f, u.(*user)) }
func (f *freeUsers) Pop() any {
	last := len(*f) - 1
	u := (*f)[last]
	*f = (*f)[:last]
	return u
}
