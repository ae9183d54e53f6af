package flows

import (
	"net"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	queueMost      = 4096                               // flows that wait for one peer
	frameFillBytes = frameMostBytes - 1 - flowMostBytes // from here on another flow might not fit
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
