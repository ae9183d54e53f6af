package simulate

import (
	"context"
	"fmt"
)

// The published figures of Nguyen et al., Sensors 22(8) 2869, in requests per second. Its text has few numbers, and
// its table of ratios is cut after case 6: cases 7 to 16 are those of its prose. That of case 15 is 25 % more than
// that of case 14.
var paperCases = []struct {
	clients     []int
	rap, random string // of the paper's iptables mode
}{
	{[]int{1, 0, 0, 0}, "400–500", "120"},
	{[]int{2, 0, 0, 0}, "", ""},
	{[]int{4, 0, 0, 0}, "1400", ""},
	{[]int{8, 0, 0, 0}, "", ""},
	{[]int{16, 0, 0, 0}, "", ""},
	{[]int{32, 0, 0, 0}, "3100", "> 2000"},
	{[]int{2, 2, 2, 2}, "4100", ""},
	{[]int{4, 4, 4, 4}, "", ""},
	{[]int{8, 8, 8, 8}, "6000", ""},
	{[]int{16, 16, 16, 16}, "> 6000", ""},
	{[]int{8, 4, 4, 4}, "", ""},
	{[]int{16, 4, 4, 4}, "", ""},
	{[]int{32, 4, 4, 4}, "", ""},
	{[]int{32, 2, 1, 1}, "4200", ""},
	{[]int{16, 8, 8, 4}, "5250", ""},
	{[]int{12, 8, 8, 8}, "6000", ""},
}

var paperDelays = []struct {
	delayMs                float64
	rap, random, userspace string
}{{3, "6000", "4500", "1300"}, {6, "6000", "", ""}, {9, "6000", "", ""}, {12, "6000", "", ""}, {15, "6000", "", ""}, {18, "6000", "1000", "220"}}

// paperSubjects end with those of the paper.
var paperSubjects = []string{Adaptive, Ideal, "c3", "lc", "envoy", "prefer-same-node", "rr", "random", "rap", "rap-1s", "rap-pseudocode"}

// paperPlan is closed-loop, as ab is. The warm-up is longer than metrics-server's period.
func paperPlan(delayMs float64, clients []int, options Options) Plan {
	plan := Cluster(fourNodes, oneEach, delayMs/1000)
	plan.Clients, plan.Seed, plan.Warmup, plan.For = clients, options.Seed, 20, 4*options.Seconds
	return plan
}

// paperSet has the paper's three experiments.
func paperSet(ctx context.Context, options Options) (report Report, err error) {
	for _, part := range []func(context.Context, Options) ([]Line, Table, error){paperDelayFigure, paperThresholdFigure, paperRatios(3), paperRatios(9)} {
		lines, table, err := part(ctx, options)
		if err != nil {
			return Report{}, err
		}
		report.Lines, report.Tables = append(report.Lines, lines...), append(report.Tables, table)
	}
	return report, nil
}

func throughput(r Result) float64 { return float64(int(r.RequestsPerSecond + 0.5)) }

func paperDelayFigure(ctx context.Context, options Options) ([]Line, Table, error) {
	var trials []trial
	for _, each := range paperDelays {
		for _, name := range paperSubjects {
			trials = append(trials, trial{fmt.Sprintf("%g ms", each.delayMs), name, paperPlan(each.delayMs, []int{8, 8, 8, 8}, options)})
		}
	}
	lines, err := runAll(ctx, "paper: delay", trials)
	table := perCase("Requests per second of 8:8:8:8 clients, by delay between nodes", lines, paperSubjects, throughput)
	table.Columns = append(table.Columns, "paper: RAP", "paper: iptables", "paper: userspace")
	for i := range table.Rows {
		each := paperDelays[i]
		table.Rows[i] = append(table.Rows[i], each.rap, each.random, each.userspace)
	}
	return lines, table, err
}

// paperThresholdFigure is RAP's latency by its threshold, while one node gets 85 % of what it can serve.
func paperThresholdFigure(ctx context.Context, options Options) ([]Line, Table, error) {
	names := []string{"rap", "rap-1s", "rap-pseudocode"}
	var trials []trial
	for _, threshold := range []float64{0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1} {
		for _, name := range names {
			plan := paperPlan(3, nil, options)
			plan.Threshold, plan.Rates = threshold, []float64{0.85 * 1500, 0, 0, 0}
			trials = append(trials, trial{fmt.Sprintf("%g %%", 100*threshold), name, plan})
		}
	}
	lines, err := runAll(ctx, "paper: threshold", trials)
	title := "Mean latency in ms of 1275 requests per second at one node, by RAP's threshold. The paper's improves to 90 %, and not further"
	return lines, perCase(title, lines, names, func(r Result) float64 { return r.MeanMs }), err
}

func paperRatios(delayMs float64) func(context.Context, Options) ([]Line, Table, error) {
	return func(ctx context.Context, options Options) ([]Line, Table, error) {
		var trials []trial
		for i, each := range paperCases {
			for _, name := range paperSubjects {
				trials = append(trials, trial{fmt.Sprintf("%d: %d", i+1, each.clients), name, paperPlan(delayMs, each.clients, options)})
			}
		}
		lines, err := runAll(ctx, fmt.Sprintf("paper: ratios, %g ms", delayMs), trials)
		table := perCase(fmt.Sprintf("Requests per second by clients at each node, at %g ms", delayMs), lines, paperSubjects, throughput)
		table.Columns = append(table.Columns, "paper: RAP", "paper: iptables")
		for i := range table.Rows {
			table.Rows[i] = append(table.Rows[i], paperCases[i].rap, paperCases[i].random)
		}
		return lines, table, err
	}
}
