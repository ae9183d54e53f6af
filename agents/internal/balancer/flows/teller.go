package flows

import (
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	queueMost      = 4096                               // flows that wait for one peer
	frameFillBytes = frameMostBytes - 1 - flowMostBytes // from here on another flow might not fit
	promptly       = 250 * time.Millisecond             // is when a peer settles flows that keeps up
)

// teller is a peer that listens to us.
type teller struct {
	conn   net.Conn
	queue  chan told
	behind atomic.Bool   // flows were left out of its queue
	anew   chan struct{} // so all has to be told again
	frame  []byte

	answers bool   // when it has settled flows; of the exchange, as the next
	asks    []*ask // by number
	says    bool   // it has said at all what it settled,
	settled uint64 // up to this number
	said    chan struct{}
}

// told is a flow in a queue.
type told struct {
	datapath.Flow
	number uint64 // of its ask; 0 for none
}

func newTeller(conn net.Conn) *teller {
	return &teller{conn: conn, queue: make(chan told, queueMost), anew: make(chan struct{}, 1), said: make(chan struct{}, 1)}
}

// offer never waits, and says whether there was room.
func (t *teller) offer(flow told) bool {
	select {
	case t.queue <- flow:
		return true
	default:
	}
	t.behind.Store(true)
	select {
	case t.anew <- struct{}{}:
	default:
	}
	return false
}

// wholeSet is all that there was to tell at one time.
type wholeSet struct {
	flows []datapath.Flow
	err   error
}

// mark asks a peer to say when it has taken in all that it was told so far. 0 for one
// that says no such things.
func (e *Exchange) mark(t *teller) uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !t.says {
		return 0
	}
	e.asked++
	t.offer(told{number: e.asked})
	return e.asked
}

func (e *Exchange) hasSettled(t *teller, number uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return t.settled >= number
}

// keepTelling says all that there is, and then what is new. News come between the
// parts of a whole set: somebody may wait for them, and a set takes long. That it was
// whole is said when the peer has taken it in, for it is ready then, and must have heard
// what came meanwhile too.
func (e *Exchange) keepTelling(t *teller) error {
	alive, again := time.NewTicker(aliveEvery), time.NewTicker(wholeEvery)
	defer alive.Stop()
	defer again.Stop()
	listed := make(chan wholeSet, 1)
	var set *wholeSet // what is left of the one that is told now
	var began time.Time
	busy := false
	ended := false     // a set has, and the peer wasn't told yet that it was whole
	var awaited uint64 // what the peer settles when it has taken in that set; 0 while it says no such things
	var marked time.Time
	mark := func() { awaited, marked = e.mark(t), time.Now() }
	begin := func() {
		if busy {
			return
		}
		busy, began = true, time.Now()
		t.behind.Store(false) // before: what is left out from here on counts again
		e.work.Go(func() {
			flows, err := e.engine.Whole(e.ctx)
			listed <- wholeSet{flows, err}
		})
	}
	begin()
	for {
		var err error
		select {
		case flow := <-t.queue:
			err = t.sendNews(flow)
		default:
		}
		if err != nil {
			return err
		}
		if set != nil {
			if set.flows, err = t.sendSome(set.flows); err == nil && len(set.flows) == 0 {
				set, busy, ended = nil, false, true
				mark()
			}
			if err != nil {
				return err
			}
			continue
		}
		select {
		case flow := <-t.queue:
			err = t.sendNews(flow)
		case one := <-listed:
			if set = &one; one.err != nil {
				err = fmt.Errorf("list flows: %w", one.err)
			}
		case <-t.said:
			switch {
			case !ended:
			case awaited == 0:
				mark()
			case !e.hasSettled(t, awaited):
			case busy || t.behind.Load(): // news were left out since, or are being made up for
				ended = false
				begin()
			case time.Since(marked) > promptly: // it would be sent connections that it doesn't know yet
				mark()
			default:
				ended, err = false, t.sendWhole()
			}
		case <-again.C:
			begin()
		case <-t.anew:
			if time.Since(began) >= aliveEvery { // or it would do nothing else
				begin()
			}
		case <-alive.C:
			if t.behind.Load() {
				begin()
			}
			if ended && awaited == 0 { // one of an earlier version
				ended, err = false, t.sendWhole()
			} else {
				err = t.send(kindAlive, nil)
			}
		case <-e.ctx.Done():
			return e.ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// sendFlows fills as few frames as it can.
func (t *teller) sendFlows(flows []datapath.Flow) (err error) {
	for len(flows) > 0 && err == nil {
		flows, err = t.sendSome(flows)
	}
	return err
}

// sendSome sends a frame of flows and returns the rest.
func (t *teller) sendSome(flows []datapath.Flow) (rest []datapath.Flow, err error) {
	var b batch
	for len(flows) > 0 && !b.full() {
		b.add(flows[0])
		flows = flows[1:]
	}
	return flows, t.sendBatch(&b)
}

// sendNews takes along what waits already.
func (t *teller) sendNews(next told) error {
	var b batch
	var number uint64
gather:
	for {
		b.add(next.Flow)
		number = max(number, next.number)
		if b.full() {
			break
		}
		select {
		case next = <-t.queue:
		default:
			break gather
		}
	}
	if err := t.sendBatch(&b); err != nil || number == 0 {
		return err
	}
	return t.send(kindNumber, appendNumber(nil, number))
}

// sendWhole says that there was no more, after the news that wait already.
func (t *teller) sendWhole() error {
	for len(t.queue) > 0 {
		if err := t.sendNews(<-t.queue); err != nil {
			return err
		}
	}
	return t.send(kindWhole, nil)
}

func (t *teller) send(k kind, content []byte) error {
	if err := t.conn.SetWriteDeadline(time.Now().Add(silenceMost)); err != nil {
		return err
	}
	t.frame = appendFrame(t.frame[:0], k, content)
	_, err := t.conn.Write(t.frame)
	return err
}
