package fleet

import (
	"math"
	"sync/atomic"
	"time"
)

// lateAfter is when an acknowledgement counts as late.
const lateAfter = 5 * time.Second

// Buckets grow by two percent from a tenth of a millisecond to over an hour, so
// a percentile is exact to two percent whatever its size.
const (
	bucketFirstMs = 0.1
	bucketGrowth  = 1.02
	bucketCount   = 900
)

// tally counts for all agents, from the end of the warm-up on.
type tally struct {
	from time.Time // reports due earlier are not counted

	due, acked, late, points atomic.Int64
	slowestMicros            atomic.Int64
	buckets                  [bucketCount]atomic.Int64
}

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
	t.buckets[bucketOf(after)].Add(1)
	for {
		slowest := t.slowestMicros.Load()
		if after.Microseconds() <= slowest || t.slowestMicros.CompareAndSwap(slowest, after.Microseconds()) {
			return
		}
	}
}

func bucketOf(d time.Duration) int {
	ms := d.Seconds() * 1000
	if ms <= bucketFirstMs {
		return 0
	}
	return min(int(math.Log(ms/bucketFirstMs)/math.Log(bucketGrowth))+1, bucketCount-1)
}

// percentile is the upper edge of the bucket that holds it, in milliseconds.
func (t *tally) percentile(q float64) float64 {
	var total int64
	for i := range t.buckets {
		total += t.buckets[i].Load()
	}
	if total == 0 {
		return 0
	}
	rank, seen := int64(math.Ceil(q*float64(total))), int64(0)
	for i := range t.buckets {
		seen += t.buckets[i].Load()
		if seen >= rank {
			return math.Round(bucketFirstMs*math.Pow(bucketGrowth, float64(i))*100) / 100
		}
	}
	return 0
}
