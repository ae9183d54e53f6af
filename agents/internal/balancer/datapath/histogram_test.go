package datapath_test

import (
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
)

func TestQuantilesAreWithinTheirBucket(t *testing.T) {
	var h datapath.Histogram
	if got := h.Quantile(0.5); got != 0 {
		t.Fatalf("of nothing: %v", got)
	}
	for range 99 {
		h.Add(1_000_000) // below 2^20
	}
	h.Add(50_000_000) // below 2^26
	for _, test := range []struct{ q, least, most float64 }{
		{0.5, 1 << 19, 1 << 20},
		{0.99, 1 << 19, 1 << 20},
		{1, 1 << 25, 1 << 26},
	} {
		if got := h.Quantile(test.q); got < test.least || got > test.most {
			t.Errorf("quantile %v is %v, not in [%v, %v]", test.q, got, test.least, test.most)
		}
	}
}

func TestTheShortestAndTheLongestAreCountedToo(t *testing.T) {
	var h datapath.Histogram
	h.Add(0)
	h.Add(1 << 63)
	if h[0] != 1 || h[len(h)-1] != 1 {
		t.Fatalf("%v", h)
	}
	if got := h.Sub(datapath.Histogram{0: 1}); got[0] != 0 || got[len(h)-1] != 1 {
		t.Fatalf("%v", got)
	}
}
