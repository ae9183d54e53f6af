package balancer

import (
	"maps"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// subject is whom figures are about: a load balancer, one of its backends, or the
// whole replica.
type subject struct {
	labels map[string]string
	known  bool              // it was there the last time, too
	came   datapath.Counts   // since then
	drops  map[string]uint64 // since then, by reason
}

// wholeReplica is the name of the subject that no load balancer can have.
const wholeReplica = "\x00"

func backendOf(loadBalancer, backend string) string { return loadBalancer + "\x00" + backend }

// moment is what had been counted by then.
type moment struct {
	at            time.Time
	counts        map[part]datapath.Counts
	drops         map[part]map[string]uint64
	ownDrops      map[string]uint64 // of what is of no service
	healthChanges map[string]uint64
}

// part is what counts for itself.
type part struct {
	key     datapath.Key
	backend string // "" for the service
}

func momentOf(seen datapath.Observed, healthChanges map[string]uint64, at time.Time) moment {
	m := moment{
		at: at, counts: map[part]datapath.Counts{}, drops: map[part]map[string]uint64{},
		ownDrops: seen.Drops, healthChanges: maps.Clone(healthChanges),
	}
	few := fewBackends(seen)
	for i := range seen.Services {
		service := &seen.Services[i]
		whole := part{service.Key, ""}
		m.counts[whole], m.drops[whole] = service.Counts, service.Drops
		if !few {
			continue
		}
		for _, backend := range service.Backends {
			one := part{service.Key, backend.ID}
			m.counts[one], m.drops[one] = backend.Counts, backend.Drops
		}
	}
	return m
}

// fewBackends says whether each may have series of its own.
func fewBackends(seen datapath.Observed) bool { return backendsOf(seen) <= backendSeriesMost }

func backendsOf(seen datapath.Observed) (backends int) {
	for i := range seen.Services {
		backends += len(seen.Services[i].Backends)
	}
	return backends
}

// subjects add up what came to the ports of each load balancer, of each of its
// backends, and to all that this replica carries: a node may carry more load
// balancers than anybody wants to add up. What goes takes its counts along, so it is
// what came that is added up, not the counts.
func (m *moment) subjects(services []Service, seen datapath.Observed) map[string]*subject {
	loadBalancers := make(map[datapath.Key]string, len(services))
	for i := range services {
		loadBalancers[services[i].Wanted.Key] = services[i].LoadBalancer
	}
	few := fewBackends(seen)
	whole := newSubject(nil)
	whole.known = m.counts != nil
	whole.drop(seen.Drops, m.ownDrops)
	subjects := map[string]*subject{wholeReplica: whole}
	for i := range seen.Services {
		service := &seen.Services[i]
		loadBalancer, wanted := loadBalancers[service.Key]
		list := []*subject{whole}
		if wanted { // or it lingers, and belongs to nobody any more
			list = append(list, named(subjects, loadBalancer, map[string]string{"loadBalancer": loadBalancer}))
		}
		for _, s := range list {
			m.add(s, part{service.Key, ""}, service.Counts, service.Drops)
		}
		if !wanted || !few {
			continue
		}
		for _, backend := range service.Backends {
			s := named(subjects, backendOf(loadBalancer, backend.ID), map[string]string{"loadBalancer": loadBalancer, "backend": backend.ID})
			m.add(s, part{service.Key, backend.ID}, backend.Counts, backend.Drops)
		}
	}
	return subjects
}

// newSubject knows all of the nothing that came so far.
func newSubject(labels map[string]string) *subject {
	return &subject{labels: labels, came: datapath.Counts{ToClients: datapath.Answers{Known: true}}}
}

func named(subjects map[string]*subject, name string, labels map[string]string) *subject {
	s := subjects[name]
	if s == nil {
		s = newSubject(labels)
		subjects[name] = s
	}
	return s
}

// add what came to a part. Of one that wasn't there before it is unknown since when it counts.
func (m *moment) add(s *subject, p part, now datapath.Counts, drops map[string]uint64) {
	s.came.LiveConnections += now.LiveConnections
	before, known := m.counts[p]
	if !known {
		return
	}
	s.known = true
	s.came.Packets += since(now.Packets, before.Packets)
	s.came.Bytes += since(now.Bytes, before.Bytes)
	s.came.Connections += since(now.Connections, before.Connections)
	s.came.ToClients = s.came.ToClients.Add(now.ToClients.Since(before.ToClients))
	s.came.SetupNanoseconds.Merge(now.SetupNanoseconds.Sub(before.SetupNanoseconds))
	s.came.FirstByteNanoseconds.Merge(now.FirstByteNanoseconds.Sub(before.FirstByteNanoseconds))
	s.drop(drops, m.drops[p])
}

// drop adds what was dropped. The whole replica has a series for every reason, a load
// balancer or a backend for those it ever had.
func (s *subject) drop(now, before map[string]uint64) {
	if s.drops == nil {
		s.drops = make(map[string]uint64, len(now))
	}
	for reason, count := range now {
		if s.labels == nil || count > 0 {
			s.drops[reason] += since(count, before[reason])
		}
	}
}

// since is what came to a count; one that fell began anew.
func since(now, before uint64) uint64 {
	if now < before {
		return now
	}
	return now - before
}
