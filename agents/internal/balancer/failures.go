package balancer

import (
	"fmt"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/health"
)

// failing is a service or backend that the data path could not set.
type failing struct {
	reason   string
	previous bool      // the service is carried as it was before
	since    time.Time // when it failed first, for whatever reason
}

// noteFailures records the failures of the last Set, and emits an event for each new one,
// and for each backend that was set since.
func (d *Driver) noteFailures(now time.Time) {
	d.ofRoutes.Store(slices.ContainsFunc(d.running.failures, func(f datapath.Failure) bool { return f.OfRoutes }))
	before := d.failing
	d.failing = make(map[backendKey]failing, len(d.running.failures))
	for _, failure := range d.running.failures {
		key := backendKey{failure.Service, failure.Backend}
		one := failing{reason: failure.Reason, previous: failure.Previous, since: now}
		was, known := before[key]
		if known {
			one.since = was.since
		}
		d.failing[key] = one
		if was.reason != one.reason {
			d.reportFailure(failure, now)
		}
	}
	for key := range before {
		if _, still := d.failing[key]; !still && key.id != "" {
			d.reportSet(key, now)
		}
	}
}

func (d *Driver) reportFailure(failure datapath.Failure, now time.Time) {
	service, backend := d.find(backendKey{failure.Service, failure.Backend})
	switch {
	case service == nil: // it is leaving
	case backend != nil:
		d.reportBackend(service, *backend, health.State{Health: health.Down, Message: failure.Reason}, true, now)
	default:
		d.news.Record(events.Event{At: now, Reason: EngineFailed, Warning: true, LoadBalancer: service.LoadBalancer, Message: notCarried(failure)})
	}
}

// notCarried says what a failure of a service means for its traffic.
func notCarried(failure datapath.Failure) string {
	if failure.Previous {
		return fmt.Sprintf("Service %s is carried as before, because its new spec could not be set: %s.", failure.Service, failure.Reason)
	}
	return fmt.Sprintf("Service %s is not carried: %s.", failure.Service, failure.Reason)
}

// reportSet emits an event for a backend that could be set, if its check finds it up too.
func (d *Driver) reportSet(key backendKey, now time.Time) {
	if service, backend := d.find(key); backend != nil && d.isUp(service, d.pathOf(service), *backend) {
		d.reported[key] = health.Up // so that its check doesn't report it again
		d.reportBackend(service, *backend, health.State{Health: health.Up}, true, now)
	}
}

// find returns a service and backend of the spec, or nil.
func (d *Driver) find(key backendKey) (*Service, *datapath.Backend) {
	service := d.desired.service(key.service)
	if service == nil {
		return nil, nil
	}
	for i := range service.Wanted.Backends {
		if service.Wanted.Backends[i].ID == key.id {
			return service, &service.Wanted.Backends[i]
		}
	}
	return service, nil
}

// carried returns the services of the spec that are carried. A backend that could not be
// set is down.
func (d *Driver) carried() (services []datapath.Service) {
	for _, service := range d.wanted() {
		if one, fails := d.failing[backendKey{service.Key, ""}]; fails && !one.previous {
			continue
		}
		var lost []int
		for i, backend := range service.Backends {
			if _, fails := d.failing[backendKey{service.Key, backend.ID}]; fails {
				lost = append(lost, i)
			}
		}
		if lost != nil {
			service = service.Down(lost...)
		}
		services = append(services, service)
	}
	return services
}
