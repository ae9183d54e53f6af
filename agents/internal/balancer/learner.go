package balancer

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/replica"
)

// formerMost bounds the names of former backends of a service: they are only counted.
const formerMost = 64

// learner knows the names of backends' ticket keys: those that it is given, and those that it learns.
type learner struct {
	probe   func(context.Context, netip.AddrPort, string) []names.Finding
	wake    func()
	monitor *names.Monitor // nil until a service needs it
	stale   atomic.Bool    // names may have changed

	mu   sync.Mutex
	news []names.Event

	seen  map[datapath.Key]map[names.Name]time.Time // until when clients may have a ticket with the name
	takes map[string]bool                           // by backend: whether it took new connections by session

	unmanaged map[backendKey]*unmanaged
}

// set probes the backends of these services. Those that stay keep their names.
func (l *learner) set(services []Service) {
	maps.DeleteFunc(l.seen, func(key datapath.Key, _ map[names.Name]time.Time) bool {
		return !slices.ContainsFunc(services, func(s Service) bool { return s.Wanted.Key == key && s.Session != nil })
	})
	var servers []names.Server
	for i := range services {
		servers = append(servers, serversOf(&services[i])...)
	}
	if l.monitor == nil {
		if len(servers) == 0 {
			return
		}
		l.monitor = names.NewMonitor(names.Options{Probe: l.probe, Event: l.record, Probed: func() { l.stale.Store(true); l.wake() }})
	}
	l.monitor.Set(servers)
	l.repeat(services)
}

// repeat probes the backends that take connections again: their server may have been restarted with
// other keys, without being down for the health checks.
func (l *learner) repeat(services []Service) {
	takes := map[string]bool{}
	for i := range services {
		session := services[i].Session
		if session == nil {
			continue
		}
		for _, backend := range services[i].Wanted.Backends {
			_, can := session.Backends[backend.ID]
			takes[backend.ID] = can && backend.State == datapath.Active
			if before, known := l.takes[backend.ID]; known && !before && takes[backend.ID] {
				l.again(backend.ID)
			}
		}
	}
	l.takes = takes
}

// serversOf returns the servers of a service whose names are learned. Those without a companion are
// among them: they may get one.
func serversOf(service *Service) (servers []names.Server) {
	if service.Session == nil || !service.Session.Learns {
		return nil
	}
	for _, backend := range service.Wanted.Backends {
		if backend.State != datapath.Inactive {
			servers = append(servers, serverOf(service, backend))
		}
	}
	return servers
}

func serverOf(service *Service, backend datapath.Backend) names.Server {
	return names.Server{
		ID: backend.ID, Group: service.Wanted.Key.String(), Address: netip.AddrPortFrom(backend.Address, backend.Port),
		ServerNames: service.Session.ServerNames, Lifetime: service.Session.Tickets,
		Expected: service.Session.expected(backend.ID),
	}
}

// again probes a backend that was down: it may have been restarted with other keys.
func (l *learner) again(backend string) {
	if l.monitor != nil {
		l.monitor.Again(backend)
	}
}

func (l *learner) record(event names.Event) {
	const most = 1000 // between two wakes of the loop
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.news) < most {
		l.news = append(l.news, event)
	}
}

func (l *learner) take() []names.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	news := l.news
	l.news = nil
	return news
}

// of returns the names that identify one backend each, by its ID, and those of backends that aren't
// among these any more. Managed names come first, and lead to their backend even if another one uses them, too.
func (l *learner) of(service *Service, backends map[string]SessionBackend, now time.Time) (known map[string][]names.Name, former []names.Name) {
	managed := managedOf(backends)
	table := l.table(service)
	if table == nil && len(managed) == 0 {
		return nil, nil
	}
	seen := l.seen[service.Wanted.Key]
	if seen == nil {
		seen = map[names.Name]time.Time{}
		l.seen[service.Wanted.Key] = seen
	}
	known = map[string][]names.Name{}
	for id, backend := range backends {
		if len(backend.Names) > 0 {
			known[id] = slices.Clone(backend.Names)
		}
	}
	for name := range managed {
		seen[name] = now.Add(service.Session.Tickets)
	}
	for _, name := range slices.SortedFunc(maps.Keys(table), compareNames) {
		owners := table[name]
		seen[name] = now.Add(service.Session.Tickets)
		if managed[name] || len(owners) > 1 {
			continue
		}
		if _, can := backends[owners[0]]; can {
			known[owners[0]] = append(known[owners[0]], name)
		} else {
			former = append(former, name)
		}
	}
	for name, until := range seen {
		if !until.After(now) {
			delete(seen, name)
		} else if len(table[name]) == 0 && !managed[name] {
			former = append(former, name)
		}
	}
	slices.SortFunc(former, func(a, b names.Name) int { return cmp.Or(seen[b].Compare(seen[a]), compareNames(a, b)) })
	for _, name := range former[min(len(former), formerMost):] {
		delete(seen, name)
	}
	return known, former[:min(len(former), formerMost)]
}

// table returns the backends of each name that was learned for a service; nil if none are.
func (l *learner) table(service *Service) map[names.Name][]string {
	if l.monitor == nil || !service.Session.Learns {
		return nil
	}
	return l.monitor.Table(service.Wanted.Key.String())
}

func compareNames(a, b names.Name) int { return slices.Compare(a[:], b[:]) }

func namesFor(all []names.Name) [][replica.NameBytes]byte {
	out := make([][replica.NameBytes]byte, len(all))
	for i, name := range all {
		out[i] = name
	}
	return out
}

func (l *learner) close() {
	if l.monitor != nil {
		l.monitor.Close()
		l.monitor = nil
	}
	clear(l.seen)
	clear(l.unmanaged)
}
