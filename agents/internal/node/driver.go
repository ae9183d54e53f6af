package node

import (
	"context"
	"fmt"

	"fairlead.dev/agents/internal/agent"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/node/echo"
)

// Observed is the sampling in use and the host's facts.
type Observed struct {
	Sampling Sampling
	Facts    *agentv1.NodeFacts // nil while the role is off
	Warnings []string           // errors
	Echo     string             // host:port where the agent returns echoes; empty if it doesn't
}

// Facts gathers the host's facts, without excluded interfaces.
type Facts interface {
	Gather(excludes func(name string) bool) (*agentv1.NodeFacts, error)
}

// Driver samples the host it runs on.
type Driver struct {
	source  Source
	facts   Facts
	meter   *echo.Meter
	echo    echo.Spec // what the meter was set to
	points  points
	sampler *sampler // nil while off
}

var _ agent.Driver[Sampling, Observed] = (*Driver)(nil)

// NewDriver returns a driver that is off until the first Set. Without a meter, it measures no round
// trips.
func NewDriver(source Source, facts Facts, meter *echo.Meter) *Driver {
	return &Driver{source: source, facts: facts, meter: meter}
}

// Set starts, stops or restarts the sampler. Peers change often, so a change of them doesn't restart
// it: that would leave a gap in all rates.
func (d *Driver) Set(_ context.Context, desired Sampling) (int, error) {
	running := d.running()
	if running.Equal(desired) {
		return 0, nil
	}
	d.meter.Set(desired.Echo)
	d.echo = desired.Echo
	if running.samplesLike(desired) {
		return 1, nil
	}
	d.halt()
	if desired.On {
		d.sampler = startSampler(desired, d.source, d.meter, &d.points)
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
	observed.Echo = d.meter.Address()
	if trouble := d.meter.Trouble(); trouble != "" {
		observed.Warnings = append(observed.Warnings, fmt.Sprintf("Round trips to other nodes are not measured (%s). Traffic isn't affected. Free the port, or set --echo-listen to another one or to off.", trouble))
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
	d.meter.Close()
	return nil
}

func (d *Driver) running() Sampling {
	if d.sampler == nil || !d.sampler.alive() {
		return Sampling{}
	}
	running := d.sampler.sampling
	running.Echo = d.echo
	return running
}

func (d *Driver) halt() {
	if d.sampler != nil {
		d.sampler.stop()
		d.sampler = nil
	}
}
