package simulate

import (
	"context"
	"fmt"
)

// connectionsSet is how many requests a connection carries. A connection stays with its backend.
func connectionsSet(ctx context.Context, options Options) (Report, error) {
	names := []string{"random", "lc", "orca", "prefer-same-node", Adaptive, AdaptivePerRequest, Ideal}
	var trials []trial
	for _, place := range []Placement{skewed, placements[2], placements[6]} {
		for _, delay := range []float64{3, 18} {
			for _, load := range []float64{0.5, 0.8} {
				for _, count := range []int{1, 10, 100} {
					point := Point{Placement: place, DelayMs: delay, Load: load, Work: Exponential, PerConnection: count}
					for _, name := range names {
						trials = append(trials, trial{fmt.Sprintf("%s, %d per connection", point, count), name, connectionsPlan(point, options)})
					}
				}
			}
		}
	}
	lines, err := runAll(ctx, "connections", trials)
	return Report{Lines: lines, Tables: []Table{perCase("p99 in ms, by requests per connection", lines, names, func(r Result) float64 { return r.Latency.P99 })}}, err
}

// connectionsPlan has a longer warm-up, because connections last.
func connectionsPlan(point Point, options Options) Plan {
	plan := point.Plan(options.Seed, 1.5*options.Seconds)
	plan.Warmup = 10
	return plan
}
