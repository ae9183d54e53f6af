package balancer

import (
	"maps"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// subject is what figures are about: a load balancer, one of its backends, or the whole
// replica.
type subject struct {
	labels map[string]string
	known  bool              // it existed in the last report, too
	came   datapath.Counts   // since then
	drops  map[string]uint64 // since then, by reason
}

// wholeReplica is the subject of the whole replica; no load balancer can have this name.
const wholeReplica = "\x00"

func backendOf(loadBalancer, backend string) string { return loadBalancer + "\x00" + backend }

// moment is the counts at one time.
type moment struct {
	at            time.Time
	counts        map[part]datapath.Counts
	drops         map[part]map[string]uint64
	ownDrops      map[string]uint64 // of packets of no service
	healthChanges map[string]uint64
}

// part is a service or a backend with its own counts.
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

// fewBackends reports whether each backend may have its own series.
func fewBackends(seen datapath.Observed) bool { return backendsOf(seen) <= backendSeriesMost }

func backendsOf(seen datapath.Observed) (backends int) {
	for i := range seen.Services {
		backends += len(seen.Services[i].Backends)
	}
	return backends
}

// subjects sums up what each load balancer, each of its backends and the whole replica
// received since the last report. Counts of removed services disappear, so increments are
// added up, not totals.
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
		if wanted { // otherwise it lingers, and belongs to no load balancer
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

// newSubject returns a subject without any counts, which is complete so far.
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

// add adds the increments of a part. For a part that is new the increments are unknown.
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

// drop adds drops. The whole replica has a series for every reason; a load balancer or a
// backend for those that ever occurred.
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

// since returns the increase of a counter; a lower value means that it restarted from 0.
func since(now, before uint64) uint64 {
	if now < before {
		return now
	}
	return now - before
}
