package flows

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
	"time"
)

// hearer keeps a connection to one peer and learns what it tells.
type hearer struct {
	peer   Peer
	heard  atomic.Bool // the whole set, at least once
	tells  atomic.Bool // now
	cancel context.CancelFunc
	ages   []time.Duration // of the flows in the next frame
}

func (e *Exchange) hear(peer Peer) *hearer {
	ctx, cancel := context.WithCancel(e.ctx)
	h := &hearer{peer: peer, cancel: cancel}
	e.work.Go(func() {
		defer cancel()
		wait := retryLeast
		for ctx.Err() == nil {
			began, back := time.Now(), e.comesBack()
			err := e.hearOnce(ctx, h)
			if ctx.Err() != nil {
				return
			}
			e.options.Log.Debug("no longer hearing flows of a peer", "peer", peer.AgentID, "address", peer.Address, "err", err)
			if time.Since(began) > silenceMost {
				wait = retryLeast
				back = e.comesBack() // what came before it fell silent is no news
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

// hearOnce learns until the connection ends or falls silent.
func (e *Exchange) hearOnce(ctx context.Context, h *hearer) error {
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
		return fmt.Errorf("greet: %w", err)
	}
	if err := expectHello(secured); err != nil {
		return err
	}
	h.tells.Store(true)
	defer h.tells.Store(false)
	answer := answerer{conn: secured}
	h.ages = nil
	if err := answer.say(0); err != nil {
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
		if err := e.take(ctx, h, k, content, answer.say); err != nil {
			return err
		}
	}
}

func (e *Exchange) take(ctx context.Context, h *hearer, k kind, content []byte, answer func(number uint64) error) error {
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
		if !h.heard.Load() {
			if err := e.engine.Settle(ctx); err != nil {
				return fmt.Errorf("wait for what was learnt: %w", err)
			}
		}
		h.heard.Store(true)
	case kindNumber:
		number, err := parseNumber(content)
		if err != nil {
			return err
		}
		if err := e.engine.Settle(ctx); err != nil {
			return fmt.Errorf("wait for what was learnt: %w", err)
		}
		return answer(number)
	}
	return nil
}

// answerer tells a peer what has been settled of what it told.
type answerer struct{ conn net.Conn }

func (a answerer) say(number uint64) error {
	if err := a.conn.SetWriteDeadline(time.Now().Add(silenceMost)); err != nil {
		return err
	}
	if _, err := a.conn.Write(appendFrame(nil, kindSettled, appendNumber(nil, number))); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}
