package balancer

import (
	"maps"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/replica"
)

// backendSeriesMost is the maximum number of backends with series of their own. Above it
// a report would carry too many series; load balancers keep theirs.
const backendSeriesMost = 250

// figure is one value at one time.
type figure struct {
	metric string
	labels map[string]string
	value  float64
}

// figures turns engines' total counts into rates since the last report. The metrics page
// reads the newest, hence the lock.
type figures struct {
	last          moment
	healthChanges map[string]uint64 // by subject

	sessions     map[datapath.Key]replica.ServiceCounts // of services that place connections by session
	sessionsLast map[datapath.Key]replica.ServiceCounts

	mu     sync.Mutex
	latest []figure
}

// points returns one point of each series since the last call.
func (f *figures) points(services []Service, seen datapath.Observed, now time.Time) []*agentv1.SeriesPoints {
	subjects := f.last.subjects(services, seen)
	maps.DeleteFunc(f.healthChanges, func(name string, _ uint64) bool { return subjects[name] == nil })
	seconds := now.Sub(f.last.at).Seconds()
	var all []figure
	for _, name := range slices.Sorted(maps.Keys(subjects)) {
		s := subjects[name]
		all = append(all, figure{"connectionsLive", s.labels, float64(s.came.LiveConnections)})
		if !s.known || seconds <= 0 {
			continue
		}
		all = append(all, s.rates(seconds)...)
		if changes := f.healthChanges[name]; changes > 0 { // most backends never change, and need no series
			all = append(all, figure{"healthChangesPerSecond", s.labels, float64(since(changes, f.last.healthChanges[name])) / seconds})
		}
	}
	all = append(all, f.sessionFigures(services, seconds)...)
	f.last = momentOf(seen, f.healthChanges, now)
	f.publish(all)
	return series(all, now)
}

// rates include latencies, which only connections have that began since the last report.
func (s *subject) rates(seconds float64) []figure {
	all := []figure{
		{"throughputBps", s.labels, 8 * float64(s.came.Bytes) / seconds},
		{"packetsPerSecond", s.labels, float64(s.came.Packets) / seconds},
		{"connectionsNewPerSecond", s.labels, float64(s.came.Connections) / seconds},
	}
	if s.came.ToClients.Known {
		all = append(all, figure{"toClientsBps", s.labels, 8 * float64(s.came.ToClients.Bytes) / seconds})
	}
	for _, times := range []struct {
		metric    string
		histogram datapath.Histogram
	}{
		{"latencyMs", s.came.SetupNanoseconds},
		{"firstByteMs", s.came.FirstByteNanoseconds},
	} {
		if times.histogram != (datapath.Histogram{}) {
			all = append(all,
				figure{times.metric + "P50", s.labels, times.histogram.Quantile(0.5) / 1e6},
				figure{times.metric + "P99", s.labels, times.histogram.Quantile(0.99) / 1e6})
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(s.drops)) {
		all = append(all, figure{"dropsPerSecond", with(s.labels, "reason", reason), float64(s.drops[reason]) / seconds})
	}
	return all
}

func with(labels map[string]string, key, value string) map[string]string {
	more := map[string]string{key: value}
	maps.Copy(more, labels)
	return more
}

// healthChanged counts a health transition of a backend.
func (f *figures) healthChanged(loadBalancer, backend string) {
	if f.healthChanges == nil {
		f.healthChanges = map[string]uint64{}
	}
	for _, name := range []string{wholeReplica, loadBalancer, backendOf(loadBalancer, backend)} {
		f.healthChanges[name]++
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
	f.last = moment{}
	f.sessions, f.sessionsLast = nil, nil
	f.publish(nil)
}
