package adaptive

import (
	"slices"
	"time"
)

// bucket is the period of means after an event.
const bucket = 100 * time.Millisecond

// summarize adds what the clients of all nodes measured.
func (t *Turn) summarize(results []turnResult, warmup, length time.Duration) {
	var took []uint32
	var late []uint32
	t.Seconds = length.Seconds()
	for _, one := range results {
		served := make([]uint64, nodes)
		for i, micro := range one.Took {
			took = append(took, micro)
			served[one.Node[i]]++
			if isWithin(one.Due[i]+micro, warmup, length) {
				t.Requests++
			}
		}
		t.Served = append(t.Served, served)
		late = append(late, one.Late...)
		t.Failed += uint64(len(one.Failures))
		if len(one.Failures) > 0 && t.Because == "" {
			t.Because = one.Failures[0].Reason
		}
	}
	t.MeanMs, t.P50Ms, t.P99Ms = mean(took), quantile(took, 0.5), quantile(took, 0.99)
	t.LatenessP99Ms = quantile(late, 0.99)
}

func isWithin(micro uint32, from, length time.Duration) bool {
	at := time.Duration(micro) * time.Microsecond
	return at >= from && at < from+length
}

// recover calculates what followed an event, by when requests were due.
func (t *Turn) recover(results []turnResult, event, end time.Duration) {
	t.Recovery = &Recovery{}
	buckets, failed := make([][]uint32, (end-event)/bucket), make([]int, (end-event)/bucket)
	final := []uint32{}
	at := func(due uint32) (index int, is bool) {
		since := time.Duration(due)*time.Microsecond - event
		index = int(since / bucket)
		return index, since >= 0 && index < len(buckets)
	}
	for _, one := range results {
		for i, due := range one.Due {
			if index, is := at(due); is {
				buckets[index] = append(buckets[index], one.Took[i])
			}
			if due >= micros(end-time.Second) {
				final = append(final, one.Took[i])
			}
		}
		later := uint64(0)
		for _, failure := range one.Failures {
			if index, is := at(failure.Due); is {
				failed[index]++
				later++
			}
		}
		t.Recovery.FailedLater = append(t.Recovery.FailedLater, later)
	}
	t.Recovery.FinalMeanMs, t.Recovery.Failures = mean(final), failed
	for _, one := range buckets {
		t.Recovery.MeansMs = append(t.Recovery.MeansMs, mean(one))
	}
}

// mean returns milliseconds; 0 without values.
func mean(micros []uint32) float64 {
	sum := 0.0
	for _, each := range micros {
		sum += float64(each)
	}
	return sum / float64(max(len(micros), 1)) / 1e3
}

// quantile returns milliseconds that a share of the values doesn't exceed; 0 without values. It sorts them.
func quantile(micros []uint32, share float64) float64 {
	if len(micros) == 0 {
		return 0
	}
	slices.Sort(micros)
	return float64(micros[min(int(share*float64(len(micros))), len(micros)-1)]) / 1e3
}
