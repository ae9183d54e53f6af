package balancer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/flows"
)

const (
	// learntMost bounds what peers may tell before the loop comes round to it. What
	// is left out comes again with the next whole set.
	learntMost = 1 << 18

	// recentFor is how long what was told is kept: a peer that has a newer config
	// speaks of backends not yet known here, so it is learnt once more when the
	// services change, and is passed on to peers that begin.
	recentFor = 30 * time.Second
)

// handover stands between the exchange, which talks when it likes, and the
// engine. One that lets first packets wait is asked at once, because the loop may
// be busy for longer than they wait; another belongs to the loop. A nil one is of
// an engine that has no flows to hand over.
type handover struct {
	keeper   datapath.FlowKeeper
	atOnce   bool
	exchange *flows.Exchange
	wake     func()
	stop     chan struct{}
	relay    sync.WaitGroup

	mu     sync.Mutex
	learnt []datapath.Flow
	asked  []chan<- wholeSet
	await  []chan<- error // who waits for what was learnt until now
	recent []*lesson      // what the engine could not learn; of one that can't list what it learnt, all. The oldest first
	failed error          // what could not be learnt at once, until the loop says it

	remembered int // flows in all of recent

	unheard uint64 // first packets, as the loop said last

	walks sync.Mutex // one at a time: many peers may ask for all flows
}

type wholeSet struct {
	flows []datapath.Flow
	err   error
}

// handOver starts the exchange of an engine's flows, if it can have one.
func (d *Driver) handOver(engine datapath.Engine) *handover {
	keeper, can := engine.(datapath.FlowKeeper)
	if !can || d.options.Flows.Listen == nil {
		return nil
	}
	holder, atOnce := engine.(datapath.Holder)
	h := &handover{keeper: keeper, atOnce: atOnce, wake: d.stir, stop: make(chan struct{})}
	h.exchange = flows.New(d.options.Flows, flows.Engine{Whole: h.whole, Learn: h.learn, Settle: h.settle, Heard: h.heard})
	news := keeper.Misplaced() // here: an engine that belongs to the loop may begin something with it
	h.relay.Go(func() { h.relayNews(news) })
	if atOnce {
		h.relay.Go(func() { RelayFirst(holder, h.exchange, h.stop, d.options.Log) })
	}
	return h
}

// relayNews tells the peers of misplaced flows as they are established.
func (h *handover) relayNews(news <-chan datapath.Flow) {
	for {
		select {
		case <-h.stop:
			return
		case flow, more := <-news:
			if !more {
				return
			}
			h.exchange.Tell(flow)
		}
	}
}

// learn takes in what a peer told.
func (h *handover) learn(told []datapath.Flow) error {
	if h.atOnce {
		err := h.learnNow(told)
		if err != nil {
			h.mu.Lock()
			h.failed = err
			h.mu.Unlock()
			h.wake()
		}
		return err
	}
	h.mu.Lock()
	room := max(0, learntMost-len(h.learnt))
	h.learnt = append(h.learnt, told[:min(room, len(told))]...)
	h.mu.Unlock()
	h.wake()
	return nil
}

func (h *handover) learnNow(told []datapath.Flow) error {
	one := h.remember(told, time.Now()) // first: a Set that is under way learns it again
	unknown, err := h.keeper.Learn(told)
	if err != nil {
		return fmt.Errorf("learn where other replicas placed flows: %w", err)
	}
	if h.atOnce {
		h.keepOnly(one, unknown)
	}
	return nil
}

// whole lists all misplaced flows.
func (h *handover) whole(ctx context.Context) ([]datapath.Flow, error) {
	if h.atOnce {
		h.walks.Lock()
		defer h.walks.Unlock()
		return h.keeper.MisplacedNow(ctx)
	}
	answer := make(chan wholeSet, 1)
	h.mu.Lock()
	h.asked = append(h.asked, answer)
	h.mu.Unlock()
	h.wake()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.stop:
		return nil, errors.New("the engine is taken away")
	case set := <-answer:
		return set.flows, set.err
	}
}

// settle waits until the engine has what was learnt: only then may a router send
// packets that depend on it.
func (h *handover) settle(ctx context.Context) error {
	if h.atOnce {
		return nil
	}
	settled := make(chan error, 1)
	h.mu.Lock()
	h.await = append(h.await, settled)
	h.mu.Unlock()
	h.wake()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-h.stop:
		return errors.New("the engine is taken away")
	case err := <-settled:
		return err
	}
}

// serve does on the loop what was asked meanwhile.
func (h *handover) serve(ctx context.Context) error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	learnt, asked, await := h.learnt, h.asked, h.await
	err := h.failed
	h.learnt, h.asked, h.await, h.failed = nil, nil, nil, nil
	h.mu.Unlock()
	if len(learnt) > 0 {
		err = h.learnNow(learnt)
	}
	for _, settled := range await {
		settled <- err
	}
	if len(asked) == 0 {
		return err
	}
	all, listErr := h.keeper.MisplacedNow(ctx)
	for _, answer := range asked {
		answer <- wholeSet{all, listErr}
	}
	return err
}

func (h *handover) close() {
	if h == nil {
		return
	}
	close(h.stop)
	h.exchange.Close()
	h.relay.Wait()
}
