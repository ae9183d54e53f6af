package simulate

import (
	"context"
	"fmt"
	"runtime"
	"sync"
)

// trial is a plan to run with a subject.
type trial struct {
	Case    string
	Subject string
	Plan    Plan
}

// Line is the result of a trial.
type Line struct {
	Set     string `json:"set"`
	Case    string `json:"case"`
	Subject string `json:"subject"`
	Result
}

// runAll runs trials on all processors. Results are in the order of the trials.
func runAll(ctx context.Context, set string, trials []trial) ([]Line, error) {
	lines, failed := make([]Line, len(trials)), make([]error, len(trials))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				each := trials[i]
				result, err := Run(ctx, each.Plan, each.Subject)
				if err != nil {
					failed[i] = fmt.Errorf("%s, %s: %w", each.Case, each.Subject, err)
				}
				lines[i] = Line{set, each.Case, each.Subject, result}
			}
		})
	}
	for i := range trials {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	for _, err := range append(failed, ctx.Err()) {
		if err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// byCase groups lines of one case after the other by case and subject.
func byCase(lines []Line) (cases []string, results map[string]map[string]Result) {
	results = map[string]map[string]Result{}
	for _, line := range lines {
		if results[line.Case] == nil {
			results[line.Case] = map[string]Result{}
			cases = append(cases, line.Case)
		}
		results[line.Case][line.Subject] = line.Result
	}
	return cases, results
}
