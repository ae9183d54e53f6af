package balancer

import (
	"context"
	"errors"
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// setBoth makes an engine carry services, and the proxy next to it those that fall back to it. It
// returns them as they were set: those that the proxy can't carry are placed one by one. After an
// error both carry what they carried before.
func (d *Driver) setBoth(ctx context.Context, engine datapath.Engine, placing *placing, services []datapath.Service, before []datapath.Service) ([]datapath.Service, datapath.Outcome, error) {
	if with, is := engine.(sessionProxy); is {
		with.PlaceBySession(placing.tables())
	}
	_, others := split(engine, services)
	moved, refused, err := d.proxy.prepare(ctx, others, placing.tables())
	if err == nil {
		services = placing.refuse(refused, services)
	}
	if err == nil && d.running != nil && d.running.placing == placing { // a new engine doesn't know its services yet
		err = placing.prepare(services)
	}
	own, others := split(engine, services)
	var outcome datapath.Outcome
	if err == nil {
		outcome, err = engine.Set(ctx, own)
	}
	if err != nil {
		_, former := split(engine, before)
		_, undone := d.proxy.finish(ctx, former, placing.tables())
		return nil, outcome, errors.Join(err, undone)
	}
	last, err := d.proxy.finish(ctx, others, placing.tables())
	if err != nil {
		return nil, outcome, fmt.Errorf("services that fall back: %w", err)
	}
	outcome.Changes += moved + last.Changes
	outcome.Failures = append(outcome.Failures, last.Failures...)
	return services, outcome, nil
}
