package simulate

import (
	"math"
	"testing"
)

func TestRequestsEnterAtTheNewestRate(t *testing.T) {
	const once = 1.0 / 3600 // one in an hour
	for _, test := range []struct {
		name    string
		first   float64
		changes []Change
		want    float64 // per second
	}{
		{"from few requests", once, []Change{{0.001, Rate, 0, 100}}, 100},
		{"stopped", 100, []Change{{1, Rate, 0, 0}}, 0},
		{"stopped for a moment", 100, []Change{{1, Rate, 0, 0}, {1.000001, Rate, 0, 100}}, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := Cluster([]float64{2}, []int{1}, 0.001)
			plan.Rates, plan.Warmup, plan.For, plan.Changes = []float64{test.first}, 2, 100, test.changes
			if got := run(t, plan, "random").RequestsPerSecond; math.Abs(got-test.want) > 5 {
				t.Errorf("%g requests per second, want %g", got, test.want)
			}
		})
	}
}
