package balancer

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/health"
)

// merge returns what the engine should carry: the spec, with each backend's health and
// each service's delivery filled in. A service that the engine doesn't support stays as
// the same engine carried it before.
func (d *Driver) merge(candidate datapath.Candidate, desired Desired) (merged []datapath.Service, failures []datapath.Failure) {
	merged = make([]datapath.Service, 0, len(desired.Services))
	for i := range desired.Services {
		service := &desired.Services[i]
		one := service.Wanted
		if service.Invalid != "" {
			was := d.carriedBy(candidate, one.Key)
			failures = append(failures, datapath.Failure{Service: one.Key, Reason: service.Invalid, Previous: service.Former || was != nil})
			if !service.Former && was != nil { // by a former process
				merged = append(merged, *was)
			}
			if !service.Former {
				continue
			}
		}
		delivery, err := resolveService(candidate, service)
		if service.Check != nil {
			one.Backends = slices.Clone(one.Backends)
			path := d.pathOf(service)
			for b := range one.Backends {
				one.Backends[b].Up = d.isUp(service, path, one.Backends[b])
			}
		}
		one.Delivery = delivery
		if err != nil {
			was := d.carriedBy(candidate, one.Key)
			failures = append(failures, datapath.Failure{Service: one.Key, Reason: fmt.Sprintf("%s: %v", candidate.Name, err), Previous: was != nil, OfEngine: true})
			if was == nil {
				continue
			}
			one = was.WithHealth(&one)
		}
		merged = append(merged, one)
	}
	return merged, failures
}

// plan returns what the running engine should carry.
func (d *Driver) plan(desired Desired) (services []datapath.Service, failures []datapath.Failure) {
	merged, failures := d.merge(d.running.choice.Candidate, desired)
	return d.running.placing.choose(desired, merged), failures
}

// carriedBy returns a service as an engine was given it, if that engine runs or is about to
// take over from a former process.
func (d *Driver) carriedBy(candidate datapath.Candidate, key datapath.Key) *datapath.Service {
	if d.running == nil {
		return find(d.previous, key) // as a former process carried it
	}
	if d.running.choice.Candidate.Name != candidate.Name {
		return nil
	}
	return d.running.service(key)
}

func (r *running) service(key datapath.Key) *datapath.Service { return find(r.services, key) }

// isUp returns the effective health of a backend. Before its first check has finished,
// the previous state stays: a changed check must not take a backend out. When the agent
// starts, all backends count as up; a backend that is added later has to pass a check
// first.
func (d *Driver) isUp(service *Service, path health.Path, backend datapath.Backend) bool {
	state, checked := d.condition(service, path, backend)
	if !checked {
		return true
	}
	switch state.Health {
	case health.Up:
		return true
	case health.Down:
		return false
	}
	if !d.started {
		return true
	}
	return d.wasUp(service.Wanted.Key, backend)
}

func (d *Driver) wasUp(key datapath.Key, backend datapath.Backend) bool {
	if d.running == nil {
		return false
	}
	service := d.running.service(key)
	if service == nil {
		return false
	}
	backends := service.Backends
	b, found := slices.BinarySearchFunc(backends, backend.ID, func(b datapath.Backend, id string) int { return cmp.Compare(b.ID, id) })
	return found && backends[b].Up && backends[b].Address == backend.Address && backends[b].Port == backend.Port
}

// reportHealth emits an event for each change of health since the last call.
func (d *Driver) reportHealth(now time.Time) {
	for i := range d.desired.Services {
		service := &d.desired.Services[i]
		path := d.pathOf(service)
		for _, backend := range service.Wanted.Backends {
			state, checked := d.condition(service, path, backend)
			if !checked {
				continue
			}
			key := backendKey{service.Wanted.Key, backend.ID}
			before, known := d.reported[key]
			if state.Health == health.Unknown || before == state.Health {
				continue
			}
			d.reported[key] = state.Health
			if _, fails := d.failing[key]; fails {
				continue // it is down anyway, which was reported
			}
			d.reportBackend(service, backend, state, known, now)
		}
	}
}

// reportBackend emits nothing for backends whose first check finds them up.
func (d *Driver) reportBackend(service *Service, backend datapath.Backend, state health.State, known bool, now time.Time) {
	where := fmt.Sprintf("Backend %s (%s port %d) of %s", backend.ID, backend.Address, backend.Port, service.Wanted.Key)
	switch {
	case state.Health == health.Down:
		d.figures.healthChanged(service.LoadBalancer, backend.ID)
		d.news.Record(events.Event{At: now, Reason: BackendDown, Warning: true, LoadBalancer: service.LoadBalancer, Message: where + " is down: it " + state.Message + "."})
	case known:
		d.figures.healthChanged(service.LoadBalancer, backend.ID)
		d.learner.again(backend.ID)
		d.news.Record(events.Event{At: now, Reason: BackendUp, LoadBalancer: service.LoadBalancer, Message: where + " is up again."})
	}
}

// forgetGone drops the reported health of backends that are gone.
func (d *Driver) forgetGone() {
	there := make(map[backendKey]bool, len(d.reported))
	for i := range d.desired.Services {
		for _, backend := range d.desired.Services[i].Wanted.Backends {
			there[backendKey{d.desired.Services[i].Wanted.Key, backend.ID}] = true
		}
	}
	for key := range d.reported {
		if !there[key] {
			delete(d.reported, key)
		}
	}
}

func compareKeys(a, b datapath.Key) int {
	return cmp.Or(a.Address.Compare(b.Address), cmp.Compare(a.Port, b.Port), cmp.Compare(a.Protocol, b.Protocol))
}
