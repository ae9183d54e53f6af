package flows

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

const (
	queueMost      = 4096 // flows that wait for one peer
	helloMost      = 2 * time.Second
	frameFillBytes = frameMostBytes - 1 - flowMostBytes // from here on another flow might not fit
)

// teller is a peer that listens to us.
type teller struct {
	conn   net.Conn
	queue  chan told
	behind atomic.Bool // flows were left out of its queue
	frame  []byte

	answers bool   // when it has settled flows; of the exchange, as the next
	asks    []*ask // by number
}

// told is a flow in a queue.
type told struct {
	datapath.Flow
	number uint64 // of its ask; 0 for none
}

// offer never waits.
func (t *teller) offer(flow told) {
	select {
	case t.queue <- flow:
	default:
		t.behind.Store(true)
	}
}

// listen takes peers in, and tries again where it can't.
func (e *Exchange) listen() {
	for e.ctx.Err() == nil {
		listener, err := new(net.ListenConfig).Listen(e.ctx, "tcp", e.options.Listen)
		if err != nil {
			e.listening("", fmt.Sprintf("Other replicas can't learn flows from this one, because it can't listen at %s (%v); connections may break when replicas and backends change at once.", e.options.Listen, err))
			pause(e.ctx, retryMost)
			continue
		}
		e.listening(listener.Addr().String(), "")
		stop := context.AfterFunc(e.ctx, func() { _ = listener.Close() })
		err = e.accept(listener)
		stop()
		_ = listener.Close()
		if e.ctx.Err() == nil {
			e.listening("", fmt.Sprintf("Other replicas can't learn flows from this one (%v).", err))
			pause(e.ctx, retryLeast)
		}
	}
}

func (e *Exchange) listening(address, trouble string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.address, e.trouble = address, trouble
}

func (e *Exchange) accept(listener net.Listener) error {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		t := &teller{conn: conn, queue: make(chan told, queueMost)}
		if !e.admit(t) {
			_ = conn.Close()
			continue
		}
		e.work.Go(func() {
			stop := context.AfterFunc(e.ctx, func() { _ = conn.Close() })
			err := e.tell(t)
			stop()
			e.dismiss(t)
			_ = conn.Close()
			e.options.Log.Debug("a peer no longer listens", "peer", conn.RemoteAddr().String(), "err", err)
		})
	}
}

// admit lets new flows gather from now on, so that none falls between the whole
// set and the news.
func (e *Exchange) admit(t *teller) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.tellers) >= tellersMost {
		return false
	}
	e.tellers[t] = true
	return true
}

func (e *Exchange) dismiss(t *teller) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.tellers, t)
}

// tell says everything, then what is new, until the peer is gone.
func (e *Exchange) tell(t *teller) error {
	if err := e.greet(t); err != nil {
		return err
	}
	if err := t.conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	e.work.Go(func() { e.listenTo(t, t.conn) }) // until it is closed
	e.cameBack()
	// Only now, or peers would tell each other of flows that are over for ever.
	if err := t.sendFlows(e.engine.Heard()); err != nil {
		return err
	}
	if err := e.tellWhole(t); err != nil {
		return err
	}
	alive, whole := time.NewTicker(aliveEvery), time.NewTicker(wholeEvery)
	defer alive.Stop()
	defer whole.Stop()
	for {
		var err error
		select {
		case flow := <-t.queue:
			err = t.sendNews(flow)
		case <-whole.C:
			err = e.tellWhole(t)
		case <-alive.C:
			if t.behind.Load() {
				err = e.tellWhole(t)
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

func (e *Exchange) greet(t *teller) error {
	if err := t.conn.SetDeadline(time.Now().Add(helloMost)); err != nil {
		return err
	}
	secured, err := e.secureAsServer(t.conn)
	if err != nil {
		return err
	}
	t.conn = secured
	if err := expectHello(t.conn); err != nil {
		return err
	}
	return t.send(kindHello, []byte(magic))
}

func expectHello(conn net.Conn) error {
	k, content, err := readFrame(conn, make([]byte, 1+len(magic)))
	if err != nil {
		return fmt.Errorf("read the greeting: %w", err)
	}
	if k != kindHello || string(content) != magic {
		return errors.New("the other end is no replica, or one of another version")
	}
	return nil
}

func (e *Exchange) tellWhole(t *teller) error {
	t.behind.Store(false) // before: what is left out from here on counts again
	flows, err := e.engine.Whole(e.ctx)
	if err != nil {
		return fmt.Errorf("list flows: %w", err)
	}
	if err := t.sendFlows(flows); err != nil {
		return err
	}
	return t.send(kindWhole, nil)
}

// sendFlows fills as few frames as it can.
func (t *teller) sendFlows(flows []datapath.Flow) error {
	var content []byte
	for _, flow := range flows {
		if content = appendFlow(content, flow); len(content) >= frameFillBytes {
			if err := t.send(kindFlows, content); err != nil {
				return err
			}
			content = content[:0]
		}
	}
	if len(content) == 0 {
		return nil
	}
	return t.send(kindFlows, content)
}

// sendNews takes along what waits already.
func (t *teller) sendNews(first told) error {
	content, number := appendFlow(nil, first.Flow), first.number
gather:
	for len(content) < frameFillBytes {
		select {
		case next := <-t.queue:
			content, number = appendFlow(content, next.Flow), max(number, next.number)
		default:
			break gather
		}
	}
	if err := t.send(kindFlows, content); err != nil || number == 0 {
		return err
	}
	return t.send(kindNumber, appendNumber(nil, number))
}

func (t *teller) send(k kind, content []byte) error {
	if err := t.conn.SetWriteDeadline(time.Now().Add(silenceMost)); err != nil {
		return err
	}
	t.frame = appendFrame(t.frame[:0], k, content)
	_, err := t.conn.Write(t.frame)
	return err
}

// pause waits unless the context ends before.
func pause(ctx context.Context, wait time.Duration) { pauseUntil(ctx, wait, nil) }

// pauseUntil says whether something came before the time was over.
func pauseUntil(ctx context.Context, wait time.Duration, something <-chan struct{}) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-something:
		return true
	}
	return false
}
