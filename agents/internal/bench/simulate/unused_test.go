package simulate

import "testing"

// nearNodes are closer to each other than a request takes, so each is used only while it seems to be as fast as the other.
func nearNodes() Plan {
	plan := Cluster([]float64{4, 4}, []int{1, 1}, 0.0001)
	plan.Rates = []float64{600, 0}
	return plan
}

func TestANodeIsUsedOnceRequestsEnterThere(t *testing.T) {
	plan := nearNodes()
	plan.Changes = []Change{{1, Rate, 1, 600}}
	if got := run(t, plan, Adaptive).LocalShare; got < 0.9 {
		t.Errorf("local share %.3f, want at least 0.9", got)
	}
}

func TestANodeIsUsedAgainAfterItWasSlow(t *testing.T) {
	plan := nearNodes()
	plan.Rates[1] = 600
	plan.Changes = []Change{{1, Speed, 1, 0.02}, {2, Speed, 1, 1}}
	plan.Warmup = 15
	if got := run(t, plan, Adaptive).LocalShare; got < 0.9 {
		t.Errorf("local share %.3f, want at least 0.9", got)
	}
}
