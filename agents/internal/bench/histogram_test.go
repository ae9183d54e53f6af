package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestEverySlotCoversItsValues(t *testing.T) {
	for _, value := range []uint64{0, 1, 31, 32, 33, 63, 64, 65, 1000, 1 << 20, 1<<40 + 12345, math.MaxInt64} {
		low, width := span(slot(value))
		if value < low || value-low >= width {
			t.Errorf("%d is counted as %d … %d", value, low, low+width-1)
		}
		if float64(width) > float64(value)/parts+1 {
			t.Errorf("%d is known only within %d", value, width)
		}
	}
}

func TestQuantilesAreThoseOfTheSortedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	var values []time.Duration
	for range 10_000 {
		value := time.Duration(math.Exp(random.NormFloat64()*2) * float64(50*time.Microsecond))
		h.Add(value)
		values = append(values, value)
	}
	slices.Sort(values)
	for _, q := range []float64{0, 0.5, 0.9, 0.99, 0.999, 1} {
		want := values[min(int(q*float64(len(values))), len(values)-1)]
		if got := h.Quantile(q); math.Abs(float64(got-want)) > float64(want)/parts+1 {
			t.Errorf("quantile %v is %v, want %v", q, got, want)
		}
	}
}

func TestAnEmptyHistogramHasNoQuantile(t *testing.T) {
	var h Histogram
	if got := h.Quantile(0.5); got != 0 {
		t.Errorf("%v", got)
	}
}
