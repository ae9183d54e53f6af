package datapath

import "math/bits"

// Histogram counts durations by powers of two: bucket i holds what is below 2^i
// nanoseconds and not in the bucket before. It is small enough for a kernel map.
type Histogram [40]uint64

// Add counts one duration.
func (h *Histogram) Add(nanoseconds uint64) {
	h[min(bits.Len64(nanoseconds), len(h)-1)]++
}

// Sub returns the increase since an earlier moment. A lower count means that it restarted
// from 0.
func (h Histogram) Sub(before Histogram) Histogram {
	for i := range h {
		if h[i] >= before[i] {
			h[i] -= before[i]
		}
	}
	return h
}

// Merge adds the counts of another histogram.
func (h *Histogram) Merge(other Histogram) {
	for i, count := range other {
		h[i] += count
	}
}

// Quantile estimates a quantile in nanoseconds, evenly spread within its bucket; 0 when empty.
func (h *Histogram) Quantile(q float64) float64 {
	var total uint64
	for _, count := range h {
		total += count
	}
	rank := q * float64(total)
	var before float64
	for i, count := range h {
		if count == 0 || before+float64(count) < rank {
			before += float64(count)
			continue
		}
		high := float64(uint64(1) << i)
		low := high / 2
		return low + (high-low)*(rank-before)/float64(count)
	}
	return 0
}
