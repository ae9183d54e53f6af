package flows

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// promptly is when a peer settles flows that keeps up.
const promptly = 250 * time.Millisecond

// telling says to one peer all that there is, and then what is new. News come between
// the parts of a whole set: somebody may wait for them, and a set takes long. That it was
// whole is said when the peer has taken it in, for it is ready then, and must have heard
// what came meanwhile too. One goroutine runs it.
type telling struct {
	*teller
	e *Exchange

	listed chan wholeSet
	busy   bool            // a set is listed, or told
	began  time.Time       // the newest
	rest   []datapath.Flow // of the one that is told

	ended  bool      // a set has, and the peer wasn't told yet that it was whole
	mark   uint64    // what the peer settles when it has taken in that set; 0 while it says no such things
	marked time.Time // when it was asked to
}

// wholeSet is all that there was to tell at one time.
type wholeSet struct {
	flows []datapath.Flow
	err   error
}

// keepTelling ends when the peer is gone, or the exchange.
func (e *Exchange) keepTelling(t *teller) error {
	return newTelling(e, t).run()
}

func newTelling(e *Exchange, t *teller) *telling {
	return &telling{teller: t, e: e, listed: make(chan wholeSet, 1)}
}

func (t *telling) run() error {
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

// begin tells all anew, unless it is about to.
func (t *telling) begin() {
	if t.busy {
		return
	}
	t.busy, t.began = true, time.Now()
	t.behind.Store(false) // before: what is left out from here on counts again
	t.e.work.Go(func() {
		flows, err := t.e.engine.Whole(t.e.ctx)
		t.listed <- wholeSet{flows, err}
	})
}

// goOn sends the next part of a set, and the news that wait already before it.
func (t *telling) goOn() (err error) {
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

func (t *telling) await(alive, again <-chan time.Time) error {
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
	case <-t.said:
		return t.taken()
	case <-again:
		t.begin()
	case <-t.anew:
		if time.Since(t.began) >= aliveEvery { // or it would do nothing else
			t.begin()
		}
	case <-alive:
		return t.stayAlive()
	case <-t.e.ctx.Done():
		return t.e.ctx.Err()
	}
	return nil
}

// end of a set: the peer is asked to say when it has taken it in.
func (t *telling) end() {
	t.busy, t.ended = false, true
	t.ask()
}

func (t *telling) ask() { t.mark, t.marked = t.e.mark(t.teller), time.Now() }

// taken looks at what the peer has settled.
func (t *telling) taken() error {
	switch {
	case !t.ended:
	case t.mark == 0:
		t.ask()
	case !t.e.hasSettled(t.teller, t.mark):
	case t.busy || t.behind.Load(): // news were left out since, or are being made up for
		t.ended = false
		t.begin()
	case time.Since(t.marked) > promptly: // it would be sent connections that it doesn't know yet
		t.ask()
	default:
		t.ended = false
		return t.sendWhole()
	}
	return nil
}

func (t *telling) stayAlive() error {
	if t.behind.Load() {
		t.begin()
	}
	if t.ended && t.mark == 0 { // the peer is of an earlier version
		t.ended = false
		return t.sendWhole()
	}
	return t.send(kindAlive, nil)
}

// mark asks a peer to say when it has taken in all that it was told so far. 0 for one
// that says no such things.
func (e *Exchange) mark(t *teller) uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !t.says {
		return 0
	}
	e.asked++
	t.offer(told{number: e.asked})
	return e.asked
}

func (e *Exchange) hasSettled(t *teller, number uint64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return t.settled >= number
}
