package bench

import (
	"math/bits"
	"time"
)

// parts is into how many equal parts each power of two is cut: an answer is
// wrong by less than 1/32, far below what a busy machine adds.
const (
	partBits = 5
	parts    = 1 << partBits
)

// Histogram counts durations with a known relative error, without allocating.
type Histogram struct {
	counts [(64 - partBits + 1) * parts]uint64
	total  uint64
}

// Add counts one duration.
func (h *Histogram) Add(d time.Duration) {
	h.counts[slot(uint64(max(d, 0)))]++
	h.total++
}

// Quantile is the middle of the part that holds it; 0 when nothing was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := uint64(q * float64(h.total))
	var before uint64
	for i, count := range h.counts {
		before += count
		if count > 0 && before > min(rank, h.total-1) {
			low, width := span(i)
			return time.Duration(low + width/2)
		}
	}
	return 0
}

// slot numbers the parts: below 32 ns each value has one of its own.
func slot(value uint64) int {
	if value < parts {
		return int(value)
	}
	power := bits.Len64(value) - partBits - 1
	return power*parts + int(value>>power)
}

// span is what a slot holds.
func span(slot int) (low, width uint64) {
	if slot < 2*parts {
		return uint64(slot), 1
	}
	power := slot/parts - 1
	return uint64(slot-power*parts) << power, 1 << power
}
