package bench

import (
	"net/netip"
	"slices"
	"time"

	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

// learned learns the names of ticket keys for an engine's services by session, as the balancer does.
type learned struct {
	monitor *names.Monitor // nil while it learns nothing
	probed  chan struct{}  // holds one item when names may have changed
}

// learn starts to probe the backends of these services, and continues with those that stay.
func (l *learned) learn(services []replica.Service, every time.Duration, backends map[string]netip.AddrPort) {
	if l.monitor == nil {
		l.monitor = names.NewMonitor(names.Options{Probe: names.Prober{}.Probe, Interval: every, Probed: l.notify})
	}
	var servers []names.Server
	for _, service := range services {
		for _, backend := range service.Backends {
			servers = append(servers, names.Server{ID: backend.ID, Group: service.Key.String(), Address: backends[backend.ID], ServerNames: []string{"bench"}})
		}
	}
	l.monitor.Set(servers)
}

func (l *learned) notify() {
	select {
	case l.probed <- struct{}{}:
	default:
	}
}

// name returns the services with the names that identify one backend each.
func (l *learned) name(services []replica.Service) []replica.Service {
	if l.monitor == nil {
		return services
	}
	named := slices.Clone(services)
	for i := range named {
		table := l.monitor.Table(named[i].Key.String())
		named[i].Backends = slices.Clone(named[i].Backends)
		for j := range named[i].Backends {
			backend := &named[i].Backends[j]
			backend.Names = nil
			for name, owners := range table {
				if len(owners) == 1 && owners[0] == backend.ID {
					backend.Names = append(backend.Names, name)
				}
			}
		}
	}
	return named
}

func (l *learned) close() {
	if l.monitor != nil {
		l.monitor.Close()
		l.monitor = nil
	}
}
