package userspace

import (
	"container/list"
	"net"
	"sync"
	"time"
)

const (
	// helloTime is the timeout for a client's hello.
	helloTime = 5 * time.Second

	// hellosPart is the share of all connections that may wait for a hello at once.
	hellosPart = 8
)

// waiting holds the clients that have not sent their hello yet, or whose server name was
// rejected and that have not disconnected. If there are too many, the oldest of the service
// with the most is closed: normal clients send the hello within a round trip, clients that
// only hold slots don't.
type waiting struct {
	most int
	time time.Duration // timeout for a hello

	mu  sync.Mutex
	all list.List         // of *visit, the oldest first
	of  map[*tcpFront]int // how many of all
}

// visit is one waiting client.
type visit struct {
	front   *tcpFront
	client  *net.TCPConn
	element *list.Element // nil: it has ended
}

// enter adds a client until leave, or until its timeout.
func (w *waiting) enter(f *tcpFront, client *net.TCPConn, most time.Duration) *visit {
	v := &visit{front: f, client: client}
	_ = client.SetDeadline(time.Now().Add(most))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all.Len() >= w.most {
		w.end(w.oldestOfMost(f))
	}
	v.element = w.all.PushBack(v)
	if w.of == nil {
		w.of = map[*tcpFront]int{}
	}
	w.of[f]++
	return v
}

// oldestOfMost returns the oldest client of the front that has the most; the given front's
// unless another has more.
func (w *waiting) oldestOfMost(f *tcpFront) *visit {
	for other, count := range w.of {
		if count > w.of[f] {
			f = other
		}
	}
	for at := w.all.Front(); at != nil; at = at.Next() {
		if v := at.Value.(*visit); v.front == f {
			return v
		}
	}
	return w.all.Front().Value.(*visit)
}

func (w *waiting) remove(v *visit) {
	w.all.Remove(v.element)
	v.element = nil
	if w.of[v.front]--; w.of[v.front] == 0 {
		delete(w.of, v.front)
	}
}

// leave reports whether the client was still waiting; if so, it clears the deadline.
func (w *waiting) leave(v *visit) bool {
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
func (w *waiting) end(v *visit) {
	w.remove(v)
	_ = v.client.SetDeadline(time.Unix(1, 0))
}

// clear ends the waits of a front that closes.
func (w *waiting) clear(f *tcpFront) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for at := w.all.Front(); at != nil; {
		next := at.Next()
		if v := at.Value.(*visit); v.front == f {
			w.end(v)
		}
		at = next
	}
}
