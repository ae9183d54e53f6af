package simulate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// What one prediction may take, so that it ends in about a second with some 100 MB.
const (
	mostPlans       = 2
	mostPredicted   = 1 << 20 // bytes of the plans
	mostNodes       = 32
	mostBackends    = 1000
	mostRequests    = 200e3
	mostExchanged   = 300e3 // figures that nodes send each other
	mostConnections = 10e3
)

// Predict reads {"plans": […]}, runs them with the strategy adaptive, and writes {"results": […]} in the same order.
func Predict(ctx context.Context, in io.Reader, out io.Writer) error {
	var asked struct{ Plans []Plan }
	decoder := json.NewDecoder(io.LimitReader(in, mostPredicted))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&asked); err != nil {
		return fmt.Errorf("the plans can't be read: %w", err)
	}
	if len(asked.Plans) == 0 || len(asked.Plans) > mostPlans {
		return fmt.Errorf("give 1 to %d plans, not %d", mostPlans, len(asked.Plans))
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
	case n > mostNodes || backends > mostBackends || p.Connections > mostConnections:
		return fmt.Errorf("give up to %d nodes, %d backends and %g connections", mostNodes, mostBackends, mostConnections)
	case !(rate*length <= mostRequests):
		return fmt.Errorf("%g requests per second in %g s are more than %g requests; give a shorter time", rate, length, mostRequests)
	case !(float64(n*n)*length/p.Exchange <= mostExchanged) || !(length/window <= mostExchanged):
		return fmt.Errorf("figures of %d nodes in %g s are too many; give a shorter time, or a longer exchange", n, length)
	}
	return nil
}
