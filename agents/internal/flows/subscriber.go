package flows

import (
	"net"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	queueMost      = 4096                               // queued flows for one peer
	frameFillBytes = frameMostBytes - 1 - flowMostBytes // above this another flow might not fit
)

// subscriber is a peer that receives flows from this replica.
type subscriber struct {
	conn    net.Conn
	agentID string // "" without TLS
	queue   chan queuedFlow
	behind  atomic.Bool   // it lacks flows, because its queue was full or it carries another service now
	gained  atomic.Bool   // it carries another service now, so it lacks flows of other replicas too
	resend  chan struct{} // so the full set has to be sent again
	frame   []byte

	acks         bool          // it acknowledges in time; guarded by the exchange's lock, like the fields below
	pending      []*pendingAck // sorted by number
	supportsAcks bool          // it has sent an acknowledgement at all,
	settled      uint64        // up to this number
	ackReceived  chan struct{}
}

// queuedFlow is a flow in a queue.
type queuedFlow struct {
	datapath.Flow
	number uint64 // number to acknowledge; 0 for none
}

func newSubscriber(conn net.Conn) *subscriber {
	return &subscriber{conn: conn, agentID: agentOf(conn), queue: make(chan queuedFlow, queueMost), resend: make(chan struct{}, 1), ackReceived: make(chan struct{}, 1)}
}

// offer never blocks, and reports whether the queue had room.
func (t *subscriber) offer(flow queuedFlow) bool {
	select {
	case t.queue <- flow:
		return true
	default:
	}
	t.requestResend()
	return false
}

// requestResend makes the feed send the full set again.
func (t *subscriber) requestResend() {
	t.behind.Store(true)
	select {
	case t.resend <- struct{}{}:
	default:
	}
}

// sendFlows sends flows in as few frames as possible.
func (t *subscriber) sendFlows(flows []datapath.Flow) (err error) {
	for len(flows) > 0 && err == nil {
		flows, err = t.sendSome(flows)
	}
	return err
}

// sendSome sends a frame of flows and returns the rest.
func (t *subscriber) sendSome(flows []datapath.Flow) (rest []datapath.Flow, err error) {
	var b batch
	for len(flows) > 0 && !b.full() {
		b.add(flows[0])
		flows = flows[1:]
	}
	return flows, t.sendBatch(&b)
}

// sendNews also sends what is already queued.
func (t *subscriber) sendNews(next queuedFlow) error {
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

// sendWhole sends the queued updates, and then marks the end of the set.
func (t *subscriber) sendWhole() error {
	for len(t.queue) > 0 {
		if err := t.sendNews(<-t.queue); err != nil {
			return err
		}
	}
	return t.send(kindWhole, nil)
}

func (t *subscriber) send(k kind, content []byte) error {
	if err := t.conn.SetWriteDeadline(time.Now().Add(silenceMost)); err != nil {
		return err
	}
	t.frame = appendFrame(t.frame[:0], k, content)
	_, err := t.conn.Write(t.frame)
	return err
}
