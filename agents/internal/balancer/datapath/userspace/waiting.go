package userspace

import (
	"container/list"
	"net"
	"sync"
	"time"
)

const (
	// helloTime is how long a client may take to say which server it wants.
	helloTime = 5 * time.Second

	// hellosPart is the part of all connections that may be about it at once.
	hellosPart = 8
)

// waiting are the clients who have not said yet which server they want, or were told
// that there is no such server and have not left. The one that came first gives way to
// one too many: clients say it within a round trip, and those who are slow to keep
// others out don't.
type waiting struct {
	most int
	time time.Duration // that a hello may take

	mu  sync.Mutex
	all list.List // of *visit, the first to come in front
}

// visit is one of them.
type visit struct {
	front   *tcpFront
	client  *net.TCPConn
	element *list.Element // nil: it is over
}

// enter lets a client wait until leave, or until its time is up.
func (w *waiting) enter(f *tcpFront, client *net.TCPConn, most time.Duration) *visit {
	v := &visit{front: f, client: client}
	_ = client.SetDeadline(time.Now().Add(most))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all.Len() >= w.most {
		w.end(w.all.Front().Value.(*visit))
	}
	v.element = w.all.PushBack(v)
	return v
}

// leave says whether the client was still waited for; then its deadline is taken away.
func (w *waiting) leave(v *visit) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if v.element == nil {
		return false
	}
	w.all.Remove(v.element)
	v.element = nil
	_ = v.client.SetDeadline(time.Time{})
	return true
}

// end ends a wait: whoever reads from the client or writes to it hears of it at once.
func (w *waiting) end(v *visit) {
	w.all.Remove(v.element)
	v.element = nil
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
