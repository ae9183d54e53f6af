package backend

import (
	"errors"
	"maps"
	"net/netip"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/exposition"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/session/companion"
)

// figures are what companions counted.
type figures struct {
	accepted map[key]uint64 // until the last report
	at       time.Time

	mu     sync.Mutex // the metrics page reads the newest
	rates  []rate
	counts map[string]companion.Counts // by the companion's address
}

// rate is how many connections a server accepts in a second.
type rate struct {
	loadBalancer, backend string
	perSecond             float64
}

// points returns one point of each server that was there in the last report, too.
func (f *figures) points(servers []Server, of map[key]at, places map[at]*place, now time.Time) ([]*agentv1.SeriesPoints, error) {
	byPlace, counts, err := read(places)
	accepted, rates := map[key]uint64{}, []rate(nil)
	for i := range servers {
		s := &servers[i]
		count, known := byPlace[of[s.key()]][s.Service]
		if !known {
			continue
		}
		accepted[s.key()] = count
		if before, had := f.accepted[s.key()]; had && count >= before && now.After(f.at) {
			rates = append(rates, rate{s.LoadBalancer, s.Backend, float64(count-before) / now.Sub(f.at).Seconds()})
		}
	}
	f.accepted, f.at = accepted, now
	f.mu.Lock()
	f.rates, f.counts = rates, counts
	f.mu.Unlock()
	points := make([]*agentv1.SeriesPoints, len(rates))
	for i, one := range rates {
		points[i] = &agentv1.SeriesPoints{
			Metric: "sessionAcceptedPerSecond", Labels: map[string]string{"loadBalancer": one.loadBalancer, "backend": one.backend},
			AtMs: []int64{now.UnixMilli()}, Values: []float64{one.perSecond},
		}
	}
	return points, err
}

func read(places map[at]*place) (accepted map[at]map[netip.AddrPort]uint64, counts map[string]companion.Counts, err error) {
	accepted, counts = map[at]map[netip.AddrPort]uint64{}, map[string]companion.Counts{}
	for where, p := range places {
		if p.companion == nil {
			continue
		}
		each, err1 := p.companion.Accepted()
		all, err2 := p.companion.Observe()
		err = errors.Join(err, err1, err2)
		accepted[where], counts[p.listen.String()] = each, all
	}
	return accepted, counts, err
}

// families are the metrics page.
func (f *figures) families() ([]exposition.Family, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	perSecond := exposition.Family{
		Name: "fairlead_backend_session_accepted_per_second", Kind: exposition.Gauge,
		Help: "By backend: connections that it accepted by session.",
	}
	for _, one := range f.rates {
		perSecond.Samples = append(perSecond.Samples, exposition.Sample{
			Labels: map[string]string{"load_balancer": one.loadBalancer, "backend": one.backend}, Value: one.perSecond,
		})
	}
	families := []exposition.Family{perSecond}
	for _, metric := range []struct {
		name, help string
		of         func(companion.Counts) uint64
	}{
		{"accepted", "connections that the server accepted by session", func(c companion.Counts) uint64 { return c.Accepted }},
		{"refused", "connections that the kernel refused to create", func(c companion.Counts) uint64 { return c.Refused }},
		{"not_mine", "packets of connections that the server doesn't have", func(c companion.Counts) uint64 { return c.NotMine }},
		{"replaced", "sockets of earlier connections on the same ports that were ended", func(c companion.Counts) uint64 { return c.Replaced }},
		{"learnt", "session IDs of TLS 1.2 that the server began", func(c companion.Counts) uint64 { return c.Learnt }},
	} {
		family := exposition.Family{Name: "fairlead_companion_" + metric.name + "_total", Kind: exposition.Counter, Help: "By companion: " + metric.help + "."}
		for _, address := range slices.Sorted(maps.Keys(f.counts)) {
			family.Samples = append(family.Samples, exposition.Sample{Labels: map[string]string{"companion": address}, Value: float64(metric.of(f.counts[address]))})
		}
		families = append(families, family)
	}
	return families, nil
}
