package flows

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

const helloMost = 2 * time.Second

var errMoved = errors.New("its address changed")

// listen accepts peers, and retries when it can't listen.
func (e *Exchange) listen() {
	for e.ctx.Err() == nil {
		at, err := e.options.Listen()
		if err != nil {
			e.unreachable(err)
			pause(e.ctx, retryMost)
			continue
		}
		listener, err := new(net.ListenConfig).Listen(e.ctx, "tcp", at)
		if err != nil {
			e.unreachable(fmt.Errorf("it can't listen at %s: %w", at, err))
			pause(e.ctx, retryMost)
			continue
		}
		e.listening(listener.Addr().String(), "")
		if err := e.acceptAt(listener, at); e.ctx.Err() == nil {
			e.unreachable(err)
			pause(e.ctx, retryLeast)
		}
	}
}

// acceptAt accepts peers until the listen address changes.
func (e *Exchange) acceptAt(listener net.Listener, at string) error {
	here, move := context.WithCancelCause(e.ctx)
	stop := context.AfterFunc(here, func() { _ = listener.Close() })
	defer stop()
	e.work.Go(func() {
		for here.Err() == nil {
			pause(here, retryMost)
			if now, err := e.options.Listen(); err != nil || now != at {
				move(errors.Join(errMoved, err))
			}
		}
	})
	err := e.accept(listener)
	_ = listener.Close()
	move(err) // only the first cause counts
	return context.Cause(here)
}

func (e *Exchange) unreachable(why error) {
	e.listening("", fmt.Sprintf("Other replicas can't learn flows from this one (%v); connections may break when replicas and backends change at once.", why))
}

func (e *Exchange) listening(address, trouble string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.address, e.trouble = address, trouble
}

func (e *Exchange) accept(listener net.Listener) error {
	handshakes := make(chan struct{}, handshakesMost)
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		select {
		case handshakes <- struct{}{}:
		default:
			_ = conn.Close()
			continue
		}
		e.work.Go(func() {
			stop := context.AfterFunc(e.ctx, func() { _ = conn.Close() })
			known, err := e.handshake(conn)
			<-handshakes
			if err == nil {
				err = e.serve(known)
			}
			stop()
			_ = conn.Close()
			e.options.Log.Debug("a peer disconnected", "peer", conn.RemoteAddr().String(), "err", err)
		})
	}
}

// serve streams flows to an authenticated peer until it disconnects.
func (e *Exchange) serve(conn net.Conn) error {
	t := newSubscriber(conn)
	if !e.admit(t) {
		return fmt.Errorf("%d peers are subscribed already", subscribersMost)
	}
	defer e.dismiss(t)
	return e.stream(t)
}

// admit starts to queue new flows for a peer, so that none is lost between the full set
// and the updates.
func (e *Exchange) admit(t *subscriber) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.subscribers) >= subscribersMost {
		return false
	}
	e.subscribers[t] = true
	return true
}

func (e *Exchange) dismiss(t *subscriber) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.subscribers, t)
}

// stream sends all flows, then updates, until the peer disconnects.
func (e *Exchange) stream(t *subscriber) error {
	if err := t.send(kindHello, []byte(magic)); err != nil {
		return err
	}
	if err := t.conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	e.work.Go(func() {
		e.readAcks(t, t.conn) // until either end closes the connection
		_ = t.conn.Close()    // or writes would go on until the kernel gives up
	})
	e.peerReturned()
	// Only once: other peers receive these from the replica that placed them.
	received, err := e.engine.Received(e.ctx)
	if err != nil {
		return fmt.Errorf("list learnt flows: %w", err)
	}
	if err := t.sendFlows(e.sharedWith(t, received)); err != nil {
		return err
	}
	return e.streamTo(t)
}

// handshake checks that the other end is a peer, within a short timeout.
func (e *Exchange) handshake(conn net.Conn) (known net.Conn, err error) {
	if err := conn.SetDeadline(time.Now().Add(helloMost)); err != nil {
		return nil, err
	}
	known, err = e.secureAsServer(conn)
	if err != nil {
		return nil, err
	}
	return known, expectHello(known)
}

func expectHello(conn net.Conn) error {
	k, content, err := readFrame(conn, make([]byte, 1+len(magic)))
	if err != nil {
		return fmt.Errorf("read hello: %w", err)
	}
	if k != kindHello || string(content) != magic {
		return errors.New("the other end isn't a replica, or runs another version")
	}
	return nil
}

// pause waits until the time is over or the context ends.
func pause(ctx context.Context, wait time.Duration) { pauseUntil(ctx, wait, nil) }

// pauseUntil reports whether something arrived before the time was over.
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
