package balancer

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/flows"
)

const (
	// learntMost bounds what peers may tell before the loop comes round to it. What
	// is left out comes again with the next whole set.
	learntMost = 1 << 18

	// recentFor is how long what was learnt is learnt once more when the services
	// change, because a peer that has a newer config speaks of backends not yet
	// known here, and is passed on to peers that begin.
	recentFor = 30 * time.Second
)

// handover stands between the exchange, which talks when it likes, and the
// engine, which belongs to the loop. A nil one is of an engine that has no flows
// to hand over.
type handover struct {
	keeper   datapath.FlowKeeper
	exchange *flows.Exchange
	wake     func()
	stop     chan struct{}
	relay    sync.WaitGroup

	mu     sync.Mutex
	learnt []datapath.Flow
	asked  []chan<- wholeSet
	await  []chan<- error // who waits for what was learnt until now

	recent []lesson // the oldest first; only the loop changes it
}

// lesson is what was learnt at one time.
type lesson struct {
	at    time.Time
	flows []datapath.Flow
}

type wholeSet struct {
	flows []datapath.Flow
	err   error
}

// handOver starts the exchange of an engine's flows, if it can have one.
func (d *Driver) handOver(engine datapath.Engine) *handover {
	keeper, can := engine.(datapath.FlowKeeper)
	if !can || d.options.Flows.Listen == "" {
		return nil
	}
	h := &handover{keeper: keeper, wake: d.stir, stop: make(chan struct{})}
	h.exchange = flows.New(d.options.Flows, flows.Engine{Whole: h.whole, Learn: h.learn, Settle: h.settle, Heard: h.heard})
	h.relay.Go(h.relayNews)
	if holder, can := engine.(datapath.Holder); can {
		h.relay.Go(func() { h.relayFirst(holder, d.options.Log) })
	}
	return h
}

// relayNews tells the peers of misplaced flows as they are established.
func (h *handover) relayNews() {
	news := h.keeper.Misplaced()
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

// learn takes in what a peer told, for the loop.
func (h *handover) learn(told []datapath.Flow) {
	h.mu.Lock()
	room := max(0, learntMost-len(h.learnt))
	h.learnt = append(h.learnt, told[:min(room, len(told))]...)
	h.mu.Unlock()
	h.wake()
}

// whole asks the loop for all misplaced flows and waits for them.
func (h *handover) whole(ctx context.Context) ([]datapath.Flow, error) {
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

// settle waits until the loop has given the engine what was learnt: only then
// may a router send packets that depend on it.
func (h *handover) settle(ctx context.Context) error {
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
	h.learnt, h.asked, h.await = nil, nil, nil
	h.mu.Unlock()
	var err error
	if len(learnt) > 0 {
		h.remember(learnt, time.Now())
		if err = h.keeper.Learn(learnt); err != nil {
			err = fmt.Errorf("learn where other replicas placed flows: %w", err)
		}
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

// remember keeps a bounded number of flows for a while.
func (h *handover) remember(learnt []datapath.Flow, now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recent = append(h.recent, lesson{now, learnt})
	kept := 0
	for i := len(h.recent) - 1; i >= 0; i-- {
		kept += len(h.recent[i].flows)
		if now.Sub(h.recent[i].at) > recentFor || kept > learntMost {
			h.recent = slices.Delete(h.recent, 0, i+1)
			return
		}
	}
}

// heard is what peers told of late, each flow once: one of them may be gone by
// now, and a replica that begins has nobody else to hear it from.
func (h *handover) heard() (all []datapath.Flow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	type connection struct {
		service datapath.Key
		client  netip.AddrPort
	}
	known := map[connection]bool{}
	for _, lesson := range slices.Backward(h.recent) { // the newest word counts
		if time.Since(lesson.at) > recentFor {
			break
		}
		for _, flow := range slices.Backward(lesson.flows) {
			if c := (connection{flow.Service, flow.Client}); !known[c] {
				known[c] = true
				all = append(all, flow)
			}
		}
	}
	return all
}

// learnAgain is for when services have changed.
func (h *handover) learnAgain() error {
	for _, lesson := range h.recent {
		if err := h.keeper.Learn(lesson.flows); err != nil {
			return fmt.Errorf("learn again where other replicas placed flows: %w", err)
		}
	}
	return nil
}

func (h *handover) close() {
	if h == nil {
		return
	}
	close(h.stop)
	h.exchange.Close()
	h.relay.Wait()
}
