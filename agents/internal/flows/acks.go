package flows

import (
	"encoding/binary"
	"fmt"
	"net"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// ackTimeout bounds the wait for a peer's acknowledgement. It is shorter than a client's
// retransmission timeout. A peer that exceeds it isn't waited for again until it
// acknowledges.
const ackTimeout = 900 * time.Millisecond

// pendingAck is a flow whose first packet waits until the peers have it.
type pendingAck struct {
	number uint64
	owed   map[*subscriber]bool // peers that have not acknowledged yet
	done   func()
	timer  *time.Timer
}

// SendAcked sends a flow like Send, and calls done when all of these peers have
// acknowledged it or timed out. It never blocks. It calls done exactly once, possibly
// before it returns.
func (e *Exchange) SendAcked(flow datapath.Flow, done func()) {
	e.mu.Lock()
	e.lastNumber++
	a := &pendingAck{number: e.lastNumber, owed: map[*subscriber]bool{}, done: done}
	unacked := false
	for t := range e.subscribers {
		if !e.scopes.shares(flow.Service, t.agentID) {
			continue
		}
		offered := t.offer(queuedFlow{flow, a.number})
		if t.acks && !offered {
			unacked = true // it receives the flow with the full set, which doesn't acknowledge this number
		} else if t.acks {
			a.owed[t] = true
			t.pending = append(t.pending, a)
		}
	}
	if len(a.owed) > 0 {
		a.timer = time.AfterFunc(ackTimeout, func() { e.expire(a) })
		done = nil
	}
	if unacked {
		e.unacked++
	}
	e.mu.Unlock()
	if done != nil {
		done()
	}
}

// HasSubscribers reports whether any peer acknowledges flows.
func (e *Exchange) HasSubscribers() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listeners() > 0
}

// Unacked returns the number of flows so far that some peer had not acknowledged in time.
func (e *Exchange) Unacked() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unacked
}

// expire stops waiting for peers that have not acknowledged this flow. Flows sent later
// may still be acknowledged: each has its own timeout.
func (e *Exchange) expire(a *pendingAck) {
	e.mu.Lock()
	late := len(a.owed) > 0
	for t := range a.owed {
		t.acks = false
	}
	clear(a.owed)
	if late {
		e.unacked++
	}
	e.mu.Unlock()
	if late {
		a.done()
	}
}

// acknowledge takes the number up to which a peer has installed all flows, and returns
// the callbacks to call.
func (t *subscriber) acknowledge(number uint64) (done []func()) {
	for len(t.pending) > 0 && t.pending[0].number <= number {
		a := t.pending[0]
		t.pending = t.pending[1:]
		if !a.owed[t] {
			continue // it has expired
		}
		if delete(a.owed, t); len(a.owed) == 0 {
			a.timer.Stop()
			done = append(done, a.done)
		}
	}
	return done
}

func call(all []func()) {
	for _, one := range all {
		one()
	}
}

// readAcks reads acknowledgements until the peer disconnects.
func (e *Exchange) readAcks(t *subscriber, conn net.Conn) {
	defer func() {
		e.mu.Lock()
		t.acks = false
		done := t.acknowledge(^uint64(0))
		e.mu.Unlock()
		call(done)
	}()
	buffer := make([]byte, 1+numberBytes)
	for {
		k, content, err := readFrame(conn, buffer)
		if err != nil {
			return
		}
		if k != kindSettled {
			continue
		}
		number, err := parseNumber(content)
		if err != nil {
			return
		}
		e.mu.Lock()
		t.acks, t.supportsAcks, t.settled = e.subscribers[t], true, max(t.settled, number)
		done := t.acknowledge(number)
		e.mu.Unlock()
		call(done)
		select {
		case t.ackReceived <- struct{}{}:
		default:
		}
	}
}

const numberBytes = 8

func parseNumber(content []byte) (uint64, error) {
	if len(content) != numberBytes {
		return 0, fmt.Errorf("%w: number of %d bytes", errFrame, len(content))
	}
	return binary.BigEndian.Uint64(content), nil
}

func appendNumber(to []byte, number uint64) []byte { return binary.BigEndian.AppendUint64(to, number) }
