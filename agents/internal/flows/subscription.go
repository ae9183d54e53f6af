package flows

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"
)

// subscription keeps a connection to one peer and learns the flows that it sends.
type subscription struct {
	peer     Peer
	complete atomic.Bool // received the full set at least once
	sending  atomic.Bool // it sends at the moment
	cancel   context.CancelFunc
	ages     []time.Duration // ages of the flows in the next frame
}

func (e *Exchange) subscribe(peer Peer) *subscription {
	ctx, cancel := context.WithCancel(e.ctx)
	h := &subscription{peer: peer, cancel: cancel}
	e.work.Go(func() {
		defer cancel()
		wait := retryLeast
		for ctx.Err() == nil {
			began, back := time.Now(), e.returned()
			err := e.receive(ctx, h)
			if ctx.Err() != nil {
				return
			}
			e.options.Log.Debug("lost the connection to a peer", "peer", peer.AgentID, "address", peer.Address, "err", err)
			if time.Since(began) > silenceMost {
				wait = retryLeast
				back = e.returned() // a return before the connection was lost is outdated
			}
			if pauseUntil(ctx, wait/2+rand.N(wait/2+1), back) {
				wait = retryLeast
				continue
			}
			wait = min(2*wait, retryMost)
		}
	})
	return h
}

// receive learns flows until the connection ends or times out.
func (e *Exchange) receive(ctx context.Context, h *subscription) error {
	conn, err := (&net.Dialer{Timeout: dialMost}).DialContext(ctx, "tcp", h.peer.Address)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(helloMost)); err != nil {
		return err
	}
	secured, err := e.secureAsClient(conn, h.peer)
	if err != nil {
		return err
	}
	if _, err := secured.Write(appendFrame(nil, kindHello, []byte(magic))); err != nil {
		return fmt.Errorf("send hello: %w", err)
	}
	if err := expectHello(secured); err != nil {
		return err
	}
	h.sending.Store(true)
	defer h.sending.Store(false)
	acks := acker{conn: secured}
	h.ages = nil
	if err := acks.send(0); err != nil {
		return err
	}
	buffer := make([]byte, frameMostBytes)
	for {
		if err := conn.SetReadDeadline(time.Now().Add(silenceMost)); err != nil {
			return err
		}
		k, content, err := readFrame(secured, buffer)
		if err != nil {
			return err
		}
		if err := e.take(ctx, h, k, content, acks.send); err != nil {
			return err
		}
	}
}

func (e *Exchange) take(ctx context.Context, h *subscription, k kind, content []byte, ack func(number uint64) error) error {
	switch k {
	case kindFlows:
		flows, err := parseFlows(content)
		if err != nil {
			return err
		}
		ages := h.ages
		if h.ages = nil; len(flows) == 0 {
			return nil
		}
		if err := withAges(flows, ages); err != nil {
			return err
		}
		return e.engine.Learn(flows)
	case kindAges:
		ages, err := parseAges(content)
		h.ages = ages
		return err
	case kindWhole:
		if !h.complete.Load() {
			if err := e.engine.Settle(ctx); err != nil {
				return fmt.Errorf("wait for learnt flows: %w", err)
			}
		}
		h.complete.Store(true)
	case kindNumber:
		number, err := parseNumber(content)
		if err != nil {
			return err
		}
		if err := e.engine.Settle(ctx); err != nil {
			return fmt.Errorf("wait for learnt flows: %w", err)
		}
		return ack(number)
	}
	return nil
}

// acker sends a peer the number up to which its flows are installed.
type acker struct{ conn net.Conn }

func (a acker) send(number uint64) error {
	if err := a.conn.SetWriteDeadline(time.Now().Add(silenceMost)); err != nil {
		return err
	}
	if _, err := a.conn.Write(appendFrame(nil, kindSettled, appendNumber(nil, number))); err != nil {
		return fmt.Errorf("acknowledge: %w", err)
	}
	return nil
}
