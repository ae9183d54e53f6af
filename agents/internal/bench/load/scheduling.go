package load

import (
	"runtime/metrics"
	"slices"
	"time"
)

// scheduling is how long goroutines of this process waited for a processor since newScheduling. Replies are read by
// goroutines, so this delays what a run measures even if no request is sent late.
type scheduling struct{ before []uint64 }

const schedulingMetric = "/sched/latencies:seconds"

func newScheduling() scheduling {
	return scheduling{slices.Clone(readScheduling().Counts)}
}

// p99 returns a time that at least 1 % of the waits reached.
func (s scheduling) p99() time.Duration {
	if s.before == nil {
		return 0 // no request was due
	}
	now := readScheduling()
	since, total := make([]uint64, len(now.Counts)), uint64(0)
	for i, count := range now.Counts {
		since[i] = count - s.before[i]
		total += since[i]
	}
	above := uint64(0)
	for i := len(since) - 1; i > 0; i-- {
		if above += since[i]; above > 0 && above*100 >= total {
			return time.Duration(now.Buckets[i] * float64(time.Second))
		}
	}
	return 0
}

func readScheduling() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: schedulingMetric}}
	metrics.Read(sample)
	return sample[0].Value.Float64Histogram()
}
