package simulate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// gridPoints are all combinations.
func gridPoints(places []Placement, delays, loads []float64, works []Work) (points []Point) {
	for _, place := range places {
		for _, delay := range delays {
			for _, load := range loads {
				for _, work := range works {
					points = append(points, Point{Placement: place, DelayMs: delay, Load: load, Work: work})
				}
			}
		}
	}
	return points
}

func runGrid(ctx context.Context, points []Point, names []string, options Options) ([]Line, error) {
	var trials []trial
	for _, point := range points {
		for _, name := range names {
			trials = append(trials, trial{point.String(), name, point.Plan(options.Seed, options.Seconds)})
		}
	}
	return runAll(ctx, "grid", trials)
}

// Comparison is how a subject's p99 compares with that of the best of all subjects that aren't ours, at the
// same points.
type Comparison struct {
	Subject       string
	GeometricMean float64
	Worst         float64
	WorstCase     string
	Behind        int // points at which it is more than 10 % higher
	Points        int
}

// compare returns the comparisons of all subjects, the best first.
func compare(lines []Line, names, against []string) (all []Comparison) {
	cases, results := byCase(lines)
	for _, name := range names {
		c := Comparison{Subject: name, Points: len(cases)}
		sum := 0.0
		for _, each := range cases {
			best := math.Inf(1)
			for _, other := range against {
				best = min(best, results[each][other].Latency.P99)
			}
			ratio := results[each][name].Latency.P99 / best
			sum += math.Log(ratio)
			if ratio > c.Worst {
				c.Worst, c.WorstCase = ratio, each
			}
			if ratio > 1.1 {
				c.Behind++
			}
		}
		c.GeometricMean = math.Exp(sum / float64(len(cases)))
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b Comparison) int { return cmp.Compare(a.GeometricMean, b.GeometricMean) })
	return all
}

// gridSet is seven placements with four delays, six loads and two distributions.
func gridSet(ctx context.Context, options Options) (Report, error) {
	report := Report{}
	for _, part := range []struct {
		name  string
		loads []float64
	}{{"loads below 0.9", []float64{0.2, 0.5, 0.7, 0.88}}, {"loads of 0.95 and 1.1", []float64{0.95, 1.1}}} {
		points := gridPoints(placements, []float64{1, 3, 9, 18}, part.loads, []Work{Exponential, Heavy})
		lines, err := runGrid(ctx, points, Subjects(), options)
		if err != nil {
			return report, err
		}
		table := Table{Title: "p99 ÷ that of the best of the other subjects at the same point: " + part.name,
			Columns: []string{"subject", "geometric mean", "worst", "points above 1.10", "worst at"}}
		for _, c := range compare(lines, Subjects(), others()) {
			table.Rows = append(table.Rows, []string{c.Subject, digits(c.GeometricMean), digits(c.Worst), fmt.Sprintf("%d of %d", c.Behind, c.Points), c.WorstCase})
		}
		report.Lines = append(report.Lines, lines...)
		report.Tables = append(report.Tables, table)
	}
	return report, nil
}
