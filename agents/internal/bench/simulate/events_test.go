package simulate

import (
	"fmt"
	"slices"
	"testing"
)

// run is for plans that are valid.
func run(t *testing.T, plan Plan, subject string) Result {
	t.Helper()
	result, err := Run(t.Context(), plan, subject)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func median(values []float64) float64 { return slices.Sorted(slices.Values(values))[len(values)/2] }

// The worst 100 ms of one run is an extreme, so the bar is for the median of runs.
func TestAdaptiveSurvivesChangesNearlyAsWellAsWithPerfectKnowledge(t *testing.T) {
	for _, event := range events {
		for _, delay := range []float64{3, 18} {
			t.Run(fmt.Sprintf("%s, %g ms", event.name, delay), func(t *testing.T) {
				t.Parallel()
				var ratios, recoveries []float64
				for seed := range uint64(5) {
					plan := eventPlan(delay, event.change, Options{Seed: seed + 1})
					ours, ideal := run(t, plan, Adaptive), run(t, plan, Ideal)
					ratios = append(ratios, ours.worstMean(eventAt)/ideal.worstMean(eventAt))
					seconds, recovered := ours.recovery(eventAt, 1.5*ideal.meanBetween(15, 19.5))
					if !recovered {
						t.Errorf("seed %d: it never recovers", seed+1)
					}
					recoveries = append(recoveries, seconds)
					if event.change.What == Kill && ours.Failed > 15 {
						t.Errorf("seed %d: %d requests failed", seed+1, ours.Failed)
					}
				}
				if median(ratios) > 1.5 || median(recoveries) > 0.5 {
					t.Errorf("the worst means of 100 ms, divided by ideal: %.2f; seconds to recover: %.1f", ratios, recoveries)
				}
			})
		}
	}
}
