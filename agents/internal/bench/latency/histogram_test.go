package latency

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestQuantilesAreThoseOfTheSortedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	h := NewHistogram()
	var values []time.Duration
	for range 10_000 {
		value := time.Duration(math.Exp(random.NormFloat64()*2) * float64(50*time.Microsecond))
		h.Add(value)
		values = append(values, value)
	}
	slices.Sort(values)
	for _, share := range []float64{0.5, 0.9, 0.99, 0.999, 1} {
		want := values[int(share*float64(len(values)))-1]
		if got := h.Quantile(share); math.Abs(float64(got-want)) > float64(want)/1000 {
			t.Errorf("quantile %v is %v, want %v", share, got, want)
		}
	}
	if got, want := h.Max(), values[len(values)-1]; math.Abs(float64(got-want)) > float64(want)/1000 {
		t.Errorf("the maximum is %v, want %v", got, want)
	}
}

func TestDurationsOutOfRangeCountAtItsEnds(t *testing.T) {
	h := NewHistogram()
	h.Add(-time.Second)
	h.Add(2 * time.Hour)
	if low, high := h.Quantile(0.5), h.Max(); low != 0 || math.Abs(float64(high-time.Hour)) > float64(time.Hour)/1000 || h.Count() != 2 {
		t.Errorf("%v, %v, %d", low, high, h.Count())
	}
}

func TestAnEmptyHistogramHasNoQuantile(t *testing.T) {
	if got := NewHistogram().Summary(); got != (Summary{}) {
		t.Errorf("%+v", got)
	}
}

func TestASummaryIsInMilliseconds(t *testing.T) {
	h := NewHistogram()
	for range 1000 {
		h.Add(2 * time.Millisecond)
	}
	h.Add(time.Second)
	got := h.Summary()
	if got.Count != 1001 || math.Abs(got.P50-2) > 0.01 || math.Abs(got.P999-2) > 0.01 || math.Abs(got.Max-1000) > 1 {
		t.Errorf("%+v", got)
	}
}
