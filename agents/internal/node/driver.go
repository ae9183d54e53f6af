package node

import (
	"context"
	"fmt"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Observed is the sampling in use and the host's facts.
type Observed struct {
	Sampling Sampling
	Facts    *agentv1.NodeFacts // nil while the role is off
	Warnings []string           // errors
}

// Facts gathers the host's facts, without excluded interfaces.
type Facts interface {
	Gather(excludes func(name string) bool) (*agentv1.NodeFacts, error)
}

// Driver samples the host it runs on.
type Driver struct {
	source  Source
	facts   Facts
	points  points
	sampler *sampler // nil while off
}

var _ agent.Driver[Sampling, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set.
func NewDriver(source Source, facts Facts) *Driver {
	return &Driver{source: source, facts: facts}
}

// Set starts, stops or restarts the sampler.
func (d *Driver) Set(_ context.Context, desired Sampling) (int, error) {
	if d.running().Equal(desired) {
		return 0, nil
	}
	d.halt()
	if desired.On {
		d.sampler = startSampler(desired, d.source, &d.points)
	} else {
		d.points.clear()
	}
	return 1, nil
}

// Observe returns the sampling in use and the host's facts.
func (d *Driver) Observe(context.Context) (Observed, error) {
	observed := Observed{Sampling: d.running()}
	if !observed.Sampling.On {
		return observed, nil
	}
	if err := d.sampler.lastError(); err != nil {
		observed.Warnings = append(observed.Warnings, fmt.Sprintf("The host could not be sampled: %v.", err))
	}
	facts, err := d.facts.Gather(observed.Sampling.Excludes)
	if err != nil {
		// Samples are reported anyway.
		observed.Warnings = append(observed.Warnings, fmt.Sprintf("The host's facts could not be gathered: %v.", err))
	}
	observed.Facts = facts
	return observed, nil
}

// Close stops sampling.
func (d *Driver) Close() error {
	d.halt()
	return nil
}

func (d *Driver) running() Sampling {
	if d.sampler == nil || !d.sampler.alive() {
		return Sampling{}
	}
	return d.sampler.sampling
}

func (d *Driver) halt() {
	if d.sampler != nil {
		d.sampler.stop()
		d.sampler = nil
	}
}
