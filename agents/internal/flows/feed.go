package flows

import (
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// promptly is how fast a peer that keeps up acknowledges flows.
const promptly = 250 * time.Millisecond

// feed sends one peer the full set and then updates. Updates are sent between the parts
// of a full set: first packets may wait for them, and a set takes long. The end of the
// set is marked once the peer has installed it, because the peer is ready then and must
// also have the updates sent meanwhile. One goroutine runs it.
type feed struct {
	*subscriber
	e *Exchange

	listed chan wholeSet
	busy   bool            // a set is being listed or sent
	began  time.Time       // start of the newest set
	rest   []datapath.Flow // flows of the current set still to send

	ended  bool      // a set was sent, and its end isn't marked yet
	mark   uint64    // number that acknowledges that set; 0 if the peer doesn't acknowledge
	marked time.Time // when that acknowledgement was requested
}

// wholeSet is the full set of flows at one time.
type wholeSet struct {
	flows []datapath.Flow
	err   error
}

// streamTo runs until the peer disconnects or the exchange closes.
func (e *Exchange) streamTo(t *subscriber) error {
	return newFeed(e, t).run()
}

func newFeed(e *Exchange, t *subscriber) *feed {
	return &feed{subscriber: t, e: e, listed: make(chan wholeSet, 1)}
}

func (t *feed) run() error {
	alive, again := time.NewTicker(aliveEvery), time.NewTicker(wholeEvery)
	defer alive.Stop()
	defer again.Stop()
	t.begin()
	for {
		var err error
		if len(t.rest) > 0 {
			err = t.goOn()
		} else {
			err = t.await(alive.C, again.C)
		}
		if err != nil {
			return err
		}
	}
}

// begin sends the full set again, unless one is in progress.
func (t *feed) begin() {
	if t.busy {
		return
	}
	t.busy, t.began = true, time.Now()
	t.behind.Store(false) // before listing: flows dropped from here on count again
	gained := t.gained.Swap(false)
	t.e.work.Go(func() {
		flows, err := t.e.list(gained)
		t.listed <- wholeSet{t.e.sharedWith(t.subscriber, flows), err}
	})
}

// list returns the full set, and if requested, flows received from other replicas before it.
func (e *Exchange) list(received bool) ([]datapath.Flow, error) {
	whole, err := e.engine.Whole(e.ctx)
	if err != nil || !received {
		return whole, err
	}
	others, err := e.engine.Received(e.ctx)
	return slices.Concat(others, whole), err
}

// goOn sends queued updates and then the next part of a set.
func (t *feed) goOn() (err error) {
	select {
	case flow := <-t.queue:
		err = t.sendNews(flow)
	default:
	}
	if err == nil {
		t.rest, err = t.sendSome(t.rest)
	}
	if err == nil && len(t.rest) == 0 {
		t.end()
	}
	return err
}

func (t *feed) await(alive, again <-chan time.Time) error {
	select {
	case flow := <-t.queue:
		return t.sendNews(flow)
	case set := <-t.listed:
		if set.err != nil {
			return fmt.Errorf("list flows: %w", set.err)
		}
		if t.rest = set.flows; len(t.rest) == 0 {
			t.end()
		}
	case <-t.ackReceived:
		return t.taken()
	case <-again:
		t.begin()
	case <-t.resend:
		if time.Since(t.began) >= aliveEvery { // rate limit for full sets
			t.begin()
		}
	case <-alive:
		return t.stayAlive()
	case <-t.e.ctx.Done():
		return t.e.ctx.Err()
	}
	return nil
}

// end requests an acknowledgement of the set.
func (t *feed) end() {
	t.busy, t.ended = false, true
	t.requestAck()
}

func (t *feed) requestAck() { t.mark, t.marked = t.e.mark(t.subscriber), time.Now() }

// taken checks what the peer has acknowledged.
func (t *feed) taken() error {
	switch {
	case !t.ended:
	case t.mark == 0:
		t.requestAck()
	case !t.e.hasSettled(t.subscriber, t.mark):
	case t.busy || t.behind.Load(): // updates were dropped since, or are being sent again
		t.ended = false
		t.begin()
	case time.Since(t.marked) > promptly: // routers would send it connections that it doesn't know yet
		t.requestAck()
	default:
		t.ended = false
		return t.sendWhole()
	}
	return nil
}

func (t *feed) stayAlive() error {
	if t.behind.Load() {
		t.begin()
	}
	if t.ended && t.mark == 0 { // the peer runs an earlier version
		t.ended = false
		return t.sendWhole()
	}
	return t.send(kindAlive, nil)
}

// mark requests an acknowledgement of everything sent so far. It returns 0 if the peer
// doesn't acknowledge.
func (e *Exchange) mark(t *subscriber) uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !t.supportsAcks {
		return 0
	}
	e.lastNumber++
	t.offer(queuedFlow{number: e.lastNumber})
	return e.lastNumber
}

func (e *Exchange) hasSettled(t *subscriber, number uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return t.settled >= number
}
