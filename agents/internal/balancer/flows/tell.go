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

// listen takes peers in, and tries again where it can't.
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

// acceptAt takes peers in for as long as this is the place.
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
	move(err) // only the first one counts
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
	greetings := make(chan struct{}, greetingsMost)
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		select {
		case greetings <- struct{}{}:
		default:
			_ = conn.Close()
			continue
		}
		e.work.Go(func() {
			stop := context.AfterFunc(e.ctx, func() { _ = conn.Close() })
			known, err := e.greet(conn)
			<-greetings
			if err == nil {
				err = e.serve(known)
			}
			stop()
			_ = conn.Close()
			e.options.Log.Debug("a peer no longer listens", "peer", conn.RemoteAddr().String(), "err", err)
		})
	}
}

// serve tells a peer whom we know until it is gone.
func (e *Exchange) serve(conn net.Conn) error {
	t := newTeller(conn)
	if !e.admit(t) {
		return fmt.Errorf("%d peers listen already", tellersMost)
	}
	defer e.dismiss(t)
	return e.tell(t)
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
	if err := t.send(kindHello, []byte(magic)); err != nil {
		return err
	}
	if err := t.conn.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	e.work.Go(func() {
		e.listenTo(t, t.conn) // until either end closes it
		_ = t.conn.Close()    // or we would talk on to nobody, for as long as the kernel tries
	})
	e.cameBack()
	// Once: all others hear it from who placed it.
	heard, err := e.engine.Heard(e.ctx)
	if err != nil {
		return fmt.Errorf("list what was heard: %w", err)
	}
	if err := t.sendFlows(heard); err != nil {
		return err
	}
	return e.keepTelling(t)
}

// greet finds out that somebody is a peer, and gives that no long time.
func (e *Exchange) greet(conn net.Conn) (known net.Conn, err error) {
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
		return fmt.Errorf("read the greeting: %w", err)
	}
	if k != kindHello || string(content) != magic {
		return errors.New("the other end is no replica, or one of another version")
	}
	return nil
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
