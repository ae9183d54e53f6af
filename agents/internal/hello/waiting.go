package hello

import (
	"container/list"
	"net"
	"sync"
	"time"
)

// Timeout is the time that a client has for its hello. Normal clients send it within a
// round trip.
const Timeout = 5 * time.Second

// Waiting holds the clients that have not sent their hello yet, or that were rejected and
// have not disconnected. If there are more than Most, the oldest of the owner with the most
// is ended: normal clients send the hello within a round trip, clients that only hold slots
// don't. An owner is what should not suffer from a flood of another, such as a service.
type Waiting[Owner comparable] struct {
	Most int // set before use

	mu  sync.Mutex
	all list.List     // of *Visit, the oldest first
	of  map[Owner]int // how many of all
}

// Visit is one waiting client.
type Visit[Owner comparable] struct {
	owner   Owner
	client  net.Conn
	element *list.Element // nil: it has ended
}

// Enter adds a client until Leave, and sets its deadline.
func (w *Waiting[Owner]) Enter(owner Owner, client net.Conn, most time.Duration) *Visit[Owner] {
	v := &Visit[Owner]{owner: owner, client: client}
	_ = client.SetDeadline(time.Now().Add(most))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all.Len() >= w.Most && w.all.Len() > 0 {
		w.end(w.oldestOfMost(owner))
	}
	v.element = w.all.PushBack(v)
	if w.of == nil {
		w.of = map[Owner]int{}
	}
	w.of[owner]++
	return v
}

// oldestOfMost returns the oldest client of the owner that has the most; the given owner's
// unless another has more.
func (w *Waiting[Owner]) oldestOfMost(owner Owner) *Visit[Owner] {
	for other, count := range w.of {
		if count > w.of[owner] {
			owner = other
		}
	}
	for at := w.all.Front(); at != nil; at = at.Next() {
		if v := at.Value.(*Visit[Owner]); v.owner == owner {
			return v
		}
	}
	return w.all.Front().Value.(*Visit[Owner])
}

func (w *Waiting[Owner]) remove(v *Visit[Owner]) {
	w.all.Remove(v.element)
	v.element = nil
	if w.of[v.owner]--; w.of[v.owner] == 0 {
		delete(w.of, v.owner)
	}
}

// Leave reports whether the client was still waiting; if so, it clears the deadline.
func (w *Waiting[Owner]) Leave(v *Visit[Owner]) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if v.element == nil {
		return false
	}
	w.remove(v)
	_ = v.client.SetDeadline(time.Time{})
	return true
}

// end ends a wait: pending reads and writes of the client fail at once.
func (w *Waiting[Owner]) end(v *Visit[Owner]) {
	w.remove(v)
	_ = v.client.SetDeadline(time.Unix(1, 0))
}

// Len is how many clients are waiting.
func (w *Waiting[Owner]) Len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Len()
}

// Clear ends the waits of an owner that closes.
func (w *Waiting[Owner]) Clear(owner Owner) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := w.all.Front(); at != nil; {
		next := at.Next()
		if v := at.Value.(*Visit[Owner]); v.owner == owner {
			w.end(v)
		}
		at = next
	}
}
