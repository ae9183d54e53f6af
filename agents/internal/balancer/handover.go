package balancer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
)

const (
	// learntMost bounds the flows queued for the loop. Dropped ones arrive again with the
	// next full set.
	learntMost = 1 << 18

	// recentFor is how long received flows are kept. A peer with a newer config may send
	// flows of backends not yet known here, so they are learnt again when the services
	// change, and are passed on to new peers.
	recentFor = 30 * time.Second
)

// handover connects the exchange, which runs on its own goroutines, and the engine. An
// engine that holds first packets is called at once, because the loop may be busy for
// longer than they are held; other engines are only called on the loop. A nil handover
// belongs to an engine that has no flows to hand over.
type handover struct {
	keeper   datapath.FlowKeeper
	atOnce   bool
	exchange *flows.Exchange
	wake     func()
	stop     chan struct{}
	relay    sync.WaitGroup

	mu       sync.Mutex
	learnt   []datapath.Flow
	requests []chan<- wholeSet
	await    []chan<- error // waiters for what was learnt until now
	recent   []*learntBatch // flows that the engine could not learn, or all if it can't list what it learnt; the oldest first
	failed   error          // error of learning at once, until the loop reports it

	remembered int // number of flows in recent

	reportedUnacked uint64 // unacknowledged first packets as of the last event
}

type wholeSet struct {
	flows []datapath.Flow
	err   error
}

// handOver starts the exchange of an engine's flows, if the engine supports it.
func (d *Driver) handOver(engine datapath.Engine) *handover {
	keeper, can := engine.(datapath.FlowKeeper)
	if !can || d.options.Flows.Listen == nil {
		return nil
	}
	holder, atOnce := engine.(datapath.Holder)
	h := &handover{keeper: keeper, atOnce: atOnce, wake: d.stir, stop: make(chan struct{})}
	h.exchange = flows.New(d.options.Flows, flows.Engine{Whole: h.whole, Learn: h.learn, Settle: h.settle, Received: h.received})
	news := keeper.Misplaced() // called here, on the loop, which an engine may require
	h.relay.Go(func() { h.relayNews(news) })
	if atOnce {
		h.relay.Go(func() { RelayFirst(holder, h.exchange, h.stop, d.options.Log) })
	}
	return h
}

// relayNews sends misplaced flows to the peers as they are established.
func (h *handover) relayNews(news <-chan datapath.Flow) {
	for {
		select {
		case <-h.stop:
			return
		case flow, more := <-news:
			if !more {
				return
			}
			h.exchange.Send(flow)
		}
	}
}

// learn takes the flows that a peer sent.
func (h *handover) learn(received []datapath.Flow) error {
	if h.atOnce {
		err := h.learnNow(received)
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
	h.learnt = append(h.learnt, received[:min(room, len(received))]...)
	h.mu.Unlock()
	h.wake()
	return nil
}

func (h *handover) learnNow(received []datapath.Flow) error {
	one := h.remember(received, time.Now()) // before Learn, so that a concurrent Set learns it again
	unknown, err := h.keeper.Learn(received)
	if err != nil {
		return fmt.Errorf("learn where other replicas placed flows: %w", err)
	}
	if h.atOnce {
		h.keepOnly(one, unknown)
	}
	return nil
}

// whole returns all misplaced flows.
func (h *handover) whole(ctx context.Context) ([]datapath.Flow, error) {
	if h.atOnce {
		return h.keeper.MisplacedNow(ctx)
	}
	answer := make(chan wholeSet, 1)
	h.mu.Lock()
	h.requests = append(h.requests, answer)
	h.mu.Unlock()
	h.wake()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-h.stop:
		return nil, errors.New("the engine was removed")
	case set := <-answer:
		return set.flows, set.err
	}
}

// settle waits until the engine has all learnt flows: only then may a router send packets
// that depend on them.
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
		return errors.New("the engine was removed")
	case err := <-settled:
		return err
	}
}

// serve handles queued requests on the loop.
func (h *handover) serve(ctx context.Context) error {
	if h == nil {
		return nil
	}
	h.mu.Lock()
	learnt, requests, await := h.learnt, h.requests, h.await
	err := h.failed
	h.learnt, h.requests, h.await, h.failed = nil, nil, nil, nil
	h.mu.Unlock()
	if len(learnt) > 0 {
		err = h.learnNow(learnt)
	}
	for _, settled := range await {
		settled <- err
	}
	if len(requests) == 0 {
		return err
	}
	all, listErr := h.keeper.MisplacedNow(ctx)
	for _, answer := range requests {
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
