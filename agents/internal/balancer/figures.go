package balancer

import (
	"maps"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// backendSeriesMost is how many backends have series of their own. Beyond it a
// report would carry more series than points are worth; load balancers keep theirs.
const backendSeriesMost = 250

// figure is one number of one moment.
type figure struct {
	metric string
	labels map[string]string
	value  float64
}

// figures turns what engines have counted since ever into what happened lately.
// The metrics page reads the newest, hence the lock.
type figures struct {
	at     time.Time
	before map[string]*subject // by load balancer, or load balancer and backend

	healthChanges map[string]uint64 // by the same

	mu     sync.Mutex
	latest []figure
}

// subject is whom figures are about.
type subject struct {
	labels        map[string]string
	counts        datapath.Counts
	drops         map[string]uint64 // by reason; nil of a backend
	healthChanges uint64
}

// points makes one point of each series since the last time.
func (f *figures) points(services []Service, seen datapath.Observed, now time.Time) []*agentv1.SeriesPoints {
	subjects := subjectsOf(services, seen)
	maps.DeleteFunc(f.healthChanges, func(name string, _ uint64) bool { return subjects[name] == nil })
	for name, s := range subjects {
		s.healthChanges = f.healthChanges[name]
	}
	seconds := now.Sub(f.at).Seconds()
	var all []figure
	for _, name := range slices.Sorted(maps.Keys(subjects)) {
		s := subjects[name]
		all = append(all, figure{"connectionsLive", s.labels, float64(s.counts.LiveConnections)})
		if before, known := f.before[name]; known && seconds > 0 {
			all = append(all, rates(s, before, seconds)...)
		}
	}
	if seconds > 0 {
		all = append(all, f.dropRates(subjects, seconds)...)
	}
	f.at, f.before = now, subjects
	f.publish(all)
	return series(all, now)
}

// rates also tells times, which only those connections have that began meanwhile.
func rates(s, former *subject, seconds float64) []figure {
	now, before := s.counts, former.counts
	all := []figure{
		{"throughputBps", s.labels, 8 * since(now.Bytes, before.Bytes) / seconds},
		{"packetsPerSecond", s.labels, since(now.Packets, before.Packets) / seconds},
		{"connectionsNewPerSecond", s.labels, since(now.Connections, before.Connections) / seconds},
	}
	if s.healthChanges > 0 { // most backends never do, and need no series for that
		all = append(all, figure{"healthChangesPerSecond", s.labels, since(s.healthChanges, former.healthChanges) / seconds})
	}
	for _, times := range []struct {
		metric    string
		histogram datapath.Histogram
	}{
		{"latencyMs", now.SetupNanoseconds.Sub(before.SetupNanoseconds)},
		{"firstByteMs", now.FirstByteNanoseconds.Sub(before.FirstByteNanoseconds)},
	} {
		if times.histogram != (datapath.Histogram{}) {
			all = append(all,
				figure{times.metric + "P50", s.labels, times.histogram.Quantile(0.5) / 1e6},
				figure{times.metric + "P99", s.labels, times.histogram.Quantile(0.99) / 1e6})
		}
	}
	return all
}

// dropRates are those of each load balancer that lost something, and of the whole
// replica for every reason. These are added up from what came to each: a load
// balancer that goes takes its counts along.
func (f *figures) dropRates(subjects map[string]*subject, seconds float64) (all []figure) {
	whole := map[string]float64{}
	for _, name := range slices.Sorted(maps.Keys(subjects)) {
		s, before := subjects[name], f.before[name]
		if before == nil {
			continue
		}
		for _, reason := range slices.Sorted(maps.Keys(s.drops)) {
			rate := since(s.drops[reason], before.drops[reason]) / seconds
			whole[reason] += rate
			if name != wholeReplica && s.drops[reason] > 0 {
				all = append(all, figure{"dropsPerSecond", with(s.labels, "reason", reason), rate})
			}
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(whole)) {
		all = append(all, figure{"dropsPerSecond", map[string]string{"reason": reason}, whole[reason]})
	}
	return all
}

func with(labels map[string]string, key, value string) map[string]string {
	more := maps.Clone(labels)
	more[key] = value
	return more
}

// since is what came to a count; one that fell began anew.
func since(now, before uint64) float64 {
	if now < before {
		return float64(now)
	}
	return float64(now - before)
}

// wholeReplica is the name of the subject that no load balancer can have.
const wholeReplica = "\x00"

// subjectsOf adds up the ports of each load balancer, of each of its backends,
// and of all that this replica carries: a node may carry more load balancers
// than anybody wants to add up.
func subjectsOf(services []Service, seen datapath.Observed) map[string]*subject {
	loadBalancers := make(map[datapath.Key]string, len(services))
	for i := range services {
		loadBalancers[services[i].Wanted.Key] = services[i].LoadBalancer
	}
	backends := 0
	for i := range seen.Services {
		backends += len(seen.Services[i].Backends)
	}
	subjects := map[string]*subject{wholeReplica: {drops: maps.Clone(seen.Drops)}}
	for i := range seen.Services {
		service := &seen.Services[i]
		add(subjects, wholeReplica, nil, service.Counts)
		loadBalancer := loadBalancers[service.Key]
		own := add(subjects, loadBalancer, map[string]string{"loadBalancer": loadBalancer}, service.Counts)
		own.drop(service.Drops)
		if backends > backendSeriesMost {
			continue
		}
		for _, backend := range service.Backends {
			add(subjects, backendOf(loadBalancer, backend.ID), map[string]string{"loadBalancer": loadBalancer, "backend": backend.ID}, backend.Counts)
		}
	}
	return subjects
}

func backendOf(loadBalancer, backend string) string { return loadBalancer + "\x00" + backend }

// healthChanged counts a backend that went up or down.
func (f *figures) healthChanged(loadBalancer, backend string) {
	if f.healthChanges == nil {
		f.healthChanges = map[string]uint64{}
	}
	for _, name := range []string{wholeReplica, loadBalancer, backendOf(loadBalancer, backend)} {
		f.healthChanges[name]++
	}
}

func add(to map[string]*subject, name string, labels map[string]string, counts datapath.Counts) *subject {
	s := to[name]
	if s == nil {
		s = &subject{labels: labels}
		to[name] = s
	}
	s.counts.Packets += counts.Packets
	s.counts.Bytes += counts.Bytes
	s.counts.Connections += counts.Connections
	s.counts.LiveConnections += counts.LiveConnections
	for i := range counts.SetupNanoseconds {
		s.counts.SetupNanoseconds[i] += counts.SetupNanoseconds[i]
		s.counts.FirstByteNanoseconds[i] += counts.FirstByteNanoseconds[i]
	}
	return s
}

func (s *subject) drop(counts map[string]uint64) {
	if s.drops == nil {
		s.drops = make(map[string]uint64, len(counts))
	}
	for reason, count := range counts {
		s.drops[reason] += count
	}
}

func series(all []figure, now time.Time) []*agentv1.SeriesPoints {
	points := make([]*agentv1.SeriesPoints, len(all))
	for i, one := range all {
		points[i] = &agentv1.SeriesPoints{Metric: one.metric, Labels: one.labels, AtMs: []int64{now.UnixMilli()}, Values: []float64{one.value}}
	}
	return points
}

func (f *figures) publish(all []figure) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.latest = all
}

func (f *figures) snapshot() []figure {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.latest
}

func (f *figures) forget() {
	f.at, f.before = time.Time{}, nil
	f.publish(nil)
}
