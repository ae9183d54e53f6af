package balancer

import (
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/health"
)

// targets returns all health checks of a spec: of each backend's own address, and of the path by
// which it gets a service's packets.
func (d *Driver) targets(desired Desired) []health.Target {
	var targets []health.Target
	for i := range desired.Services {
		service := &desired.Services[i]
		path := d.pathOf(service)
		for _, backend := range service.Wanted.Backends {
			target, checked := service.target(backend)
			if !checked {
				continue
			}
			targets = append(targets, target)
			if path != (health.Path{}) && !d.byProxy(service, backend) {
				target.Path = path
				targets = append(targets, target)
			}
		}
	}
	return targets
}

// pathOf returns the path of a service's packets as the engine was set, if it can be probed. The
// datagram of a check has an answer only at the check's port, which may not be the service's.
func (d *Driver) pathOf(service *Service) health.Path {
	if service.Check == nil || d.running == nil {
		return health.Path{}
	}
	set, key := d.running.service(service.Wanted.Key), service.Wanted.Key
	if set == nil || !set.Delivery.KeepsPacket() {
		return health.Path{}
	}
	if port := service.Check.Port; key.Protocol == datapath.UDP && service.Check.Kind == health.UDP && port != 0 && port != key.Port {
		return health.Path{}
	}
	return health.Path{Service: key, Delivery: set.Delivery}
}

// condition returns the health of a backend by its checks, if it has some. The path is the
// service's: it costs a look-up, and there may be many backends.
func (d *Driver) condition(service *Service, path health.Path, backend datapath.Backend) (state health.State, checked bool) {
	target, checked := service.target(backend)
	switch {
	case !checked:
		return health.State{}, false
	case path == (health.Path{}) || d.byProxy(service, backend):
		return d.monitor.State(target), true
	}
	return together(d.monitor.States(target, path)), true
}

// together returns the health of a backend whose own address and path are checked. A path that is
// not watched yet, because the service was set a moment ago, doesn't count.
func together(own, path health.State) health.State {
	switch {
	case own.Health == health.Down || path.Since.IsZero():
		return own
	case path.Health == health.Down:
		if own.Health == health.Up && !own.Failing && path.Failing {
			path.Message = fmt.Sprintf("answers at its own address, but %s", path.Message)
		}
		return path
	case own.Health == health.Unknown:
		return own
	case path.Health == health.Unknown || path.Since.After(own.Since):
		return path
	}
	return own
}

// byProxy reports whether only a proxy connects to a backend, at its own address, so that the path doesn't matter.
func (d *Driver) byProxy(service *Service, backend datapath.Backend) bool {
	if d.running == nil || !d.running.placing.connects(service.Wanted.Key, backend.ID) {
		return false
	}
	_, can := service.Session.Backends[backend.ID]
	return !can
}
