package simulate

import (
	"context"
	"fmt"
	"math"
)

// eventAt is when something happens, in seconds.
const eventAt = 5.0

var events = []struct {
	name   string
	change Change
}{
	{"a node at a quarter of its speed", Change{eventAt, Speed, 0, 0.25}},
	{"another process takes ¾ of a node", Change{eventAt, Neighbour, 0, 0.75}},
	{"a backend is killed", Change{eventAt, Kill, 0, 0}},
	{"four times the requests at a node", Change{eventAt, Rate, 0, 3000}},
}

// eventPlan has 3000 requests per second on four nodes that can serve 6000.
func eventPlan(delayMs float64, change Change, options Options) Plan {
	plan := Point{Placement: placements[0], DelayMs: delayMs, Load: 0.5, Work: Exponential}.Plan(options.Seed, 18)
	plan.Changes = []Change{change}
	return plan
}

// eventsSet is what happens to latency when the cluster changes.
func eventsSet(ctx context.Context, options Options) (Report, error) {
	names := append([]string{Adaptive, AdaptivePerRequest, Ideal}, others()...)
	var trials []trial
	for _, event := range events {
		for _, delay := range []float64{3, 18} {
			for _, name := range names {
				trials = append(trials, trial{fmt.Sprintf("%s, %g ms", event.name, delay), name, eventPlan(delay, event.change, options)})
			}
		}
	}
	lines, err := runAll(ctx, "events", trials)
	if err != nil {
		return Report{}, err
	}
	table := Table{Title: "When the cluster changes. Good is a mean below 1.5 times what `ideal` reaches in the end, without failures",
		Columns: []string{"change", "subject", "mean before, ms", "worst mean of 100 ms, ms", "÷ ideal", "good after, s", "p99, ms", "failed"}}
	cases, results := byCase(lines)
	for _, each := range cases {
		ideal := results[each][Ideal]
		for _, name := range names {
			table.Rows = append(table.Rows, eventRow(each, name, results[each][name], ideal))
		}
	}
	return Report{Lines: lines, Tables: []Table{table}}, nil
}

func eventRow(name, subject string, result, ideal Result) []string {
	good := "never"
	if seconds, recovered := result.recovery(eventAt, 1.5*ideal.meanBetween(15, 19.5)); recovered {
		good = digits(math.Abs(seconds))
	}
	worst := result.worstMean(eventAt)
	return []string{name, subject, digits(1000 * result.meanBetween(2, eventAt)), digits(1000 * worst), digits(worst / ideal.worstMean(eventAt)),
		good, digits(result.Latency.P99), fmt.Sprint(result.Failed)}
}
