package bench

import (
	"math/bits"
	"time"
)

// parts is how many equal parts each power of two has: the error of a value is below 1/32, far below the
// noise of a busy machine.
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

// Quantile is the middle of its slot; 0 without values.
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

// slot is a value's slot: below 32 ns each value has its own.
func slot(value uint64) int {
	if value < parts {
		return int(value)
	}
	power := bits.Len64(value) - partBits - 1
	return power*parts + int(value>>power)
}

// span is a slot's range.
func span(slot int) (low, width uint64) {
	if slot < 2*parts {
		return uint64(slot), 1
	}
	power := slot/parts - 1
	return uint64(slot-power*parts) << power, 1 << power
}
