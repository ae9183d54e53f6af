package flows

import (
	"encoding/binary"
	"fmt"
	"net"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// answerMost is how long anybody waits for a peer to know a flow: not as long as until
// a client tries again. One that takes longer is not waited for again before it answers.
const answerMost = 900 * time.Millisecond

// ask is a flow that somebody waits with until the peers know it.
type ask struct {
	number uint64
	owed   map[*teller]bool // who has not answered
	done   func()
	timer  *time.Timer
}

// TellFirst hands a flow to every peer that listens, and calls done when all of
// them have settled it, or have taken too long. It never waits itself; done may
// be called at once, and only once.
func (e *Exchange) TellFirst(flow datapath.Flow, done func()) {
	e.mu.Lock()
	e.asked++
	a := &ask{number: e.asked, owed: map[*teller]bool{}, done: done}
	unheard := false
	for t := range e.tellers {
		offered := t.offer(told{flow, a.number})
		if t.answers && !offered {
			unheard = true // it hears of it with the whole set, and says nothing of this number
		} else if t.answers {
			a.owed[t] = true
			t.asks = append(t.asks, a)
		}
	}
	if len(a.owed) > 0 {
		a.timer = time.AfterFunc(answerMost, func() { e.tooLong(a) })
		done = nil
	}
	if unheard {
		e.unheard++
	}
	e.mu.Unlock()
	if done != nil {
		done()
	}
}

// Listened says whether any peer can be waited for.
func (e *Exchange) Listened() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listeners() > 0
}

// Unheard is how many flows so far were not waited for any longer though a peer
// had not settled them.
func (e *Exchange) Unheard() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unheard
}

// tooLong gives up on those that still owe an answer. Who asked them after may
// still hear: each waits for its own time.
func (e *Exchange) tooLong(a *ask) {
	e.mu.Lock()
	late := len(a.owed) > 0
	for t := range a.owed {
		t.answers = false
	}
	clear(a.owed)
	if late {
		e.unheard++
	}
	e.mu.Unlock()
	if late {
		a.done()
	}
}

// answered takes what a peer says to have settled, and returns what to call.
func (t *teller) answered(number uint64) (done []func()) {
	for len(t.asks) > 0 && t.asks[0].number <= number {
		a := t.asks[0]
		t.asks = t.asks[1:]
		if !a.owed[t] {
			continue // it was given up
		}
		if delete(a.owed, t); len(a.owed) == 0 {
			a.timer.Stop()
			done = append(done, a.done)
		}
	}
	return done
}

func call(all []func()) {
	for _, one := range all {
		one()
	}
}

// listenTo reads what a peer has settled, until it is gone.
func (e *Exchange) listenTo(t *teller, conn net.Conn) {
	defer func() {
		e.mu.Lock()
		t.answers = false
		done := t.answered(^uint64(0))
		e.mu.Unlock()
		call(done)
	}()
	buffer := make([]byte, 1+numberBytes)
	for {
		k, content, err := readFrame(conn, buffer)
		if err != nil {
			return
		}
		if k != kindSettled {
			continue
		}
		number, err := parseNumber(content)
		if err != nil {
			return
		}
		e.mu.Lock()
		t.answers, t.says, t.settled = e.tellers[t], true, max(t.settled, number)
		done := t.answered(number)
		e.mu.Unlock()
		call(done)
		select {
		case t.said <- struct{}{}:
		default:
		}
	}
}

const numberBytes = 8

func parseNumber(content []byte) (uint64, error) {
	if len(content) != numberBytes {
		return 0, fmt.Errorf("%w: a number of %d bytes", errFrame, len(content))
	}
	return binary.BigEndian.Uint64(content), nil
}

func appendNumber(to []byte, number uint64) []byte { return binary.BigEndian.AppendUint64(to, number) }
