package fleet

import (
	"sync"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/bench/latency"
)

// lateAfter is when an acknowledgement counts as late.
const lateAfter = 5 * time.Second

// tally counts for all agents, from the end of the warm-up on.
type tally struct {
	from time.Time // reports due earlier are not counted

	due, acked, late, points atomic.Int64

	lock sync.Mutex
	took *latency.Histogram
}

func newTally(from time.Time) *tally { return &tally{from: from, took: latency.NewHistogram()} }

func (t *tally) counts(due time.Time) bool { return !due.Before(t.from) }

func (t *tally) sent(due time.Time) {
	if t.counts(due) {
		t.due.Add(1)
	}
}

// answered measures from when the report was due, not from when it was sent: waiting in the queue
// counts too.
func (t *tally) answered(due, now time.Time, points int) {
	if !t.counts(due) {
		return
	}
	after := now.Sub(due)
	t.acked.Add(1)
	t.points.Add(int64(points))
	if after > lateAfter {
		t.late.Add(1)
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	t.took.Add(after)
}

// acknowledged summarizes the times so far.
func (t *tally) acknowledged() latency.Summary {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.took.Summary()
}
