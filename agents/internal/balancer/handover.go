package balancer

import (
	"context"
	"errors"
	"fmt"
	"maps"
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
	recent []lesson       // the oldest first
	failed error          // what could not be learnt at once, until the loop says it

	unheard uint64 // first packets, as the loop said last

	walks sync.Mutex // one at a time: many peers may ask for all flows
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
	holder, atOnce := engine.(datapath.Holder)
	h := &handover{keeper: keeper, atOnce: atOnce, wake: d.stir, stop: make(chan struct{})}
	h.exchange = flows.New(d.options.Flows, flows.Engine{Whole: h.whole, Learn: h.learn, Settle: h.settle, Heard: h.heard})
	h.relay.Go(h.relayNews)
	if atOnce {
		h.relay.Go(func() { RelayFirst(holder, h.exchange, h.stop, d.options.Log) })
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
	h.remember(told, time.Now()) // first: a Set that is under way learns it again
	if err := h.keeper.Learn(told); err != nil {
		return fmt.Errorf("learn where other replicas placed flows: %w", err)
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

// heard is what peers told, each flow once: one of them may be gone by now, and a
// replica that begins has nobody else to hear it from.
func (h *handover) heard(ctx context.Context) (all []datapath.Flow, err error) {
	for _, lesson := range h.lessons(time.Now()) { // also of backends that are not here yet
		all = append(all, lesson...)
	}
	if holder, can := h.keeper.(datapath.Holder); can {
		learnt, err := holder.LearntNow(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, learnt...)
	}
	type connection struct {
		service datapath.Key
		client  netip.AddrPort
	}
	youngest := map[connection]datapath.Flow{}
	for _, flow := range all {
		c := connection{flow.Service, flow.Client}
		if known, is := youngest[c]; !is || flow.Age <= known.Age { // of equals, the newest word counts
			youngest[c] = flow
		}
	}
	return slices.Collect(maps.Values(youngest)), nil
}

// lessons are those of late, the oldest first, with flows as old as they are now.
func (h *handover) lessons(now time.Time) (all [][]datapath.Flow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, lesson := range h.recent {
		since := now.Sub(lesson.at)
		if since > recentFor {
			continue
		}
		aged := slices.Clone(lesson.flows)
		for i := range aged {
			aged[i].Age += since
		}
		all = append(all, aged)
	}
	return all
}

// learnAgain is for when services have changed.
func (h *handover) learnAgain() error {
	for _, lesson := range h.lessons(time.Now()) {
		if err := h.keeper.Learn(lesson); err != nil {
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
