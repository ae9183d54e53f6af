package balancer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
)

// setBoth makes an engine carry services, and the proxy next to it those that fall back to it. It
// returns them as they were set: those that the proxy can't carry are placed one by one. After an
// error both carry what they carried before.
func (d *Driver) setBoth(ctx context.Context, engine datapath.Engine, placing *placing, services []datapath.Service, before []datapath.Service) ([]datapath.Service, datapath.Outcome, error) {
	if with, is := engine.(sessionProxy); is {
		with.PlaceBySession(placing.tables())
	}
	others := placing.ofProxy(engine, services)
	moved, refused, err := d.proxy.prepare(ctx, others, placing.tables())
	if err == nil {
		services = placing.refuse(refused, services)
	}
	if err == nil {
		union := map[datapath.Key]proxyPart{}
		if d.running != nil {
			maps.Copy(union, d.running.placing.partsLast)
		}
		maps.Copy(union, placing.parts)
		err = placing.setHandoff(union)
	}
	if err == nil && d.running != nil && d.running.placing == placing { // a new engine doesn't know its services yet
		err = placing.prepare(services)
	}
	if err != nil {
		err = unprepared{err}
	}
	own, _ := split(engine, services)
	others = placing.ofProxy(engine, services)
	var outcome datapath.Outcome
	if err == nil {
		outcome, err = engine.Set(ctx, own)
	}
	if err != nil {
		_, undone := d.proxy.finish(ctx, placing.ofProxy(engine, before), placing.tables())
		return nil, outcome, errors.Join(err, undone)
	}
	outcome.Failures = d.withoutProxy(outcome.Failures)
	last, err := d.proxy.finish(ctx, others, placing.tables())
	if err != nil {
		return nil, outcome, fmt.Errorf("services that fall back: %w", err)
	}
	outcome.Changes += moved + last.Changes
	outcome.Failures = append(outcome.Failures, last.Failures...)
	return services, outcome, nil
}

// ofProxy returns what the proxy next to the engine carries of these services.
func (p *placing) ofProxy(engine datapath.Engine, services []datapath.Service) []datapath.Service {
	_, others := split(engine, services)
	for one := range maps.Values(p.partsIn(services)) {
		others = append(others, one.service)
	}
	slices.SortFunc(others, func(a, b datapath.Service) int { return compareKeys(a.Key, b.Key) })
	return others
}

// withoutProxy reports once that the proxy can't be reached as a backend, which isn't in the spec, and returns the other
// failures.
func (d *Driver) withoutProxy(failures []datapath.Failure) []datapath.Failure {
	text := ""
	failures = slices.DeleteFunc(failures, func(f datapath.Failure) bool {
		if f.Backend == proxyBackend {
			text = fmt.Sprintf("Backends of %s that need the proxy get no new connections, because the proxy %s.", f.Service, f.Reason)
		}
		return f.Backend == proxyBackend
	})
	if text != "" && text != d.notReached {
		d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: text})
	}
	d.notReached = text
	return failures
}
