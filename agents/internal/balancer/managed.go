package balancer

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/events"
	"fairlead.dev/agents/internal/session/names"
)

// foreignFor is how long a server may use another ticket key than its managed ones before that is an event. It gets them
// after the replica gets their names: from an agent within seconds, and from the Secret that a pod mounts within two minutes.
const foreignFor = 3 * time.Minute

// unmanaged is a backend that uses another ticket key.
type unmanaged struct {
	name     names.Name
	since    time.Time
	reported bool
}

// expected returns the name with which a backend's tickets should begin; the zero one if that isn't managed.
func (s *Session) expected(backend string) (name names.Name) {
	if all := s.Backends[backend].Names; s.Managed && len(all) > 0 {
		return all[0]
	}
	return name
}

// isForeign returns a name with which a backend's tickets begin although it isn't of its managed keys.
func (s *Session) isForeign(backend string, record names.Record) (name names.Name, is bool) {
	managed := s.Backends[backend].Names
	if !s.Managed || len(managed) == 0 || record.Kind != names.Stable {
		return name, false
	}
	current := record.Current()
	at := slices.IndexFunc(current, func(one names.Name) bool { return !slices.Contains(managed, one) })
	if at < 0 {
		return name, false
	}
	return current[at], true
}

func foreignReason(name names.Name) string {
	return fmt.Sprintf("begins its tickets with the name %s, which isn't that of a managed key: set these in its configuration, and reload it", name)
}

// foreign returns events of backends that use other ticket keys than their managed ones.
func (l *learner) foreign(services []Service, now time.Time) (all []events.Event) {
	found := map[backendKey]*unmanaged{}
	for i := range services {
		service := &services[i]
		if l.monitor == nil || service.Session == nil || !service.Session.Managed {
			continue
		}
		for _, backend := range service.Wanted.Backends {
			name, is := l.foreignOf(service, backend)
			if !is {
				continue
			}
			key := backendKey{service.Wanted.Key, backend.ID}
			one := l.unmanaged[key]
			if one == nil || one.name != name {
				one = &unmanaged{name: name, since: now}
			}
			found[key] = one
			if one.reported || now.Sub(one.since) < foreignFor {
				continue
			}
			one.reported = true
			all = append(all, events.Event{
				At: now, Reason: TicketNameForeign, Warning: true, LoadBalancer: service.LoadBalancer,
				Message: fmt.Sprintf("Backend %s of %s %s.", backend.ID, service.Wanted.Key, foreignReason(name)),
			})
		}
	}
	l.unmanaged = found
	return all
}

func (l *learner) foreignOf(service *Service, backend datapath.Backend) (name names.Name, is bool) {
	for _, serverName := range probedAs(service) {
		record := l.monitor.Record(serverOf(service, backend), serverName)
		if name, is = service.Session.isForeign(backend.ID, record); is {
			return name, true
		}
	}
	return name, false
}

// managedOf returns which names are managed.
func managedOf(backends map[string]SessionBackend) map[names.Name]bool {
	managed := map[names.Name]bool{}
	for backend := range maps.Values(backends) {
		for _, name := range backend.Names {
			managed[name] = true
		}
	}
	return managed
}

// hasNames reports whether a service is placed by the managed names of all its backends, also by the proxy.
func (p *placing) hasNames(service *Service) bool {
	if !service.Session.Managed {
		return false
	}
	if one := p.fallbacks[service.Wanted.Key]; one != nil && one.proxied {
		for id, backend := range service.Session.Backends {
			if slices.ContainsFunc(backend.Names, func(name names.Name) bool { return one.table.Backend(name) != id }) {
				return false
			}
		}
		return true
	}
	if p.placer == nil {
		return false
	}
	placed := map[string]map[names.Name]bool{}
	for _, backend := range p.carried[service.Wanted.Key].Backends {
		placed[backend.ID] = map[names.Name]bool{}
		for _, name := range backend.Names {
			placed[backend.ID][name] = true
		}
	}
	for id, backend := range service.Session.Backends {
		if slices.ContainsFunc(backend.Names, func(name names.Name) bool { return !placed[id][name] }) {
			return false
		}
	}
	return len(placed) > 0
}
