package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"fairlead.dev/agents/internal/gen/limits"
)

// Predict reads {"plans": […]}, runs them with the strategy adaptive, and writes {"results": […]} in the same order.
func Predict(ctx context.Context, in io.Reader, out io.Writer) error {
	var asked struct{ Plans []Plan }
	decoder := json.NewDecoder(io.LimitReader(in, limits.SimulatorBytes))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&asked); err != nil {
		return fmt.Errorf("the plans can't be read: %w", err)
	}
	if len(asked.Plans) == 0 || len(asked.Plans) > limits.SimulatorPlans {
		return fmt.Errorf("give 1 to %d plans, not %d", limits.SimulatorPlans, len(asked.Plans))
	}
	for i, plan := range asked.Plans {
		if err := plan.checkPredictable(); err != nil {
			return fmt.Errorf("plan %d: %w", i, err)
		}
	}
	results, err := predictAll(ctx, asked.Plans)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(struct {
		Results []Result `json:"results"`
	}{results})
}

func predictAll(ctx context.Context, plans []Plan) ([]Result, error) {
	results, failed := make([]Result, len(plans)), make([]error, len(plans))
	var runs sync.WaitGroup
	for i, plan := range plans {
		runs.Go(func() { results[i], failed[i] = Run(ctx, plan, Adaptive) })
	}
	runs.Wait()
	return results, errors.Join(failed...)
}

// checkPredictable rejects plans that take too much time or memory. Those with clients are among them: how many
// requests they send isn't known before.
func (p Plan) checkPredictable() error {
	if err := p.Check(); err != nil {
		return err
	}
	n, length, rate, backends := len(p.Cores), p.Warmup+p.For, 0.0, 0
	for j := range n {
		backends += p.Backends[j]
	}
	if p.Rates == nil {
		return errors.New("give rates, not clients")
	}
	for j := range n {
		rate += p.Rates[j]
	}
	for _, change := range p.Changes {
		if change.What == Rate {
			rate += change.Value
		}
	}
	switch {
	case n > limits.SimulatorNodes || backends > limits.SimulatorBackends || p.Connections > limits.SimulatorConnections:
		return fmt.Errorf("give up to %d nodes, %d backends and %d connections", limits.SimulatorNodes, limits.SimulatorBackends, limits.SimulatorConnections)
	case !(rate*length <= limits.SimulatorRequests):
		return fmt.Errorf("%g requests per second in %g s are more than %d requests; give a shorter time", rate, length, limits.SimulatorRequests)
	case !(float64(n*n)*length/p.Exchange <= limits.SimulatorFigures) || !(length/window <= limits.SimulatorFigures):
		return fmt.Errorf("figures of %d nodes in %g s are too many; give a shorter time, or a longer exchange", n, length)
	}
	return nil
}
