package simulate

import (
	"fmt"
	"testing"
)

func TestLastingConnectionsArePlacedNearlyAsWellAsByTheNewestFigures(t *testing.T) {
	for _, count := range []int{10, 100} {
		t.Run(fmt.Sprintf("%d requests per connection", count), func(t *testing.T) {
			t.Parallel()
			for _, load := range []float64{0.5, 0.8} {
				point := Point{Placement: skewed, DelayMs: 3, Load: load, Work: Exponential, PerConnection: count}
				var ratios []float64
				for seed := range uint64(3) {
					plan := connectionsPlan(point, Options{Seed: seed + 1, Seconds: 10})
					ratios = append(ratios, run(t, plan, Adaptive).Latency.P99/run(t, plan, AdaptivePerRequest).Latency.P99)
				}
				if median(ratios) > 1.15 {
					t.Errorf("load %g: p99 divided by that of decisions by the newest figures: %.2f", load, ratios)
				}
			}
		})
	}
}
