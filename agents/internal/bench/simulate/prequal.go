package simulate

import "slices"

// prequal is Wydrowski et al., NSDI 2024: three probes for each request, and the hot-cold rule over their
// results. Probes take no CPU time here.
type prequal struct {
	stateless
	roundTrip bool
	pool      [][]probe
	recent    []recentCounts // by entry
	oldest    []bool         // whether the oldest probe leaves next, or the worst
	down      [][]float64
	latency   [][65]float64 // of each node, by requests in flight
}

type probe struct {
	backend, inFlight int
	latency, at       float64
	uses              int
}

const (
	probesPerRequest = 3
	probeUses        = 2
	probeAge         = 1 // seconds
	probesKept       = 16
	hotQuantile      = 0.84
)

func (p *prequal) start(s *simulation) {
	n := len(s.nodes)
	p.pool, p.recent, p.oldest, p.down = make([][]probe, n), make([]recentCounts, n), make([]bool, n), table[float64](n, len(s.backends))
	p.latency = make([][65]float64, n)
}

func (p *prequal) completed(s *simulation, node int, r *request) {
	latency := &p.latency[node][min(r.inFlight, 64)]
	if took := s.now - r.arrived; *latency == 0 {
		*latency = took
	} else {
		*latency += 0.05 * (took - *latency)
	}
}

// expected is the latency of a request beside those in flight, by the nearest count that was measured.
func (p *prequal) expected(s *simulation, node int) float64 {
	latency, i := &p.latency[node], min(s.nodes[node].inFlight+1, 64)
	for distance := range latency {
		if below := i - distance; below >= 0 && latency[below] > 0 {
			return latency[below]
		}
		if above := i + distance; above <= 64 && latency[above] > 0 {
			return latency[above]
		}
	}
	return s.ServiceTime
}

func (p *prequal) probe(s *simulation, entry, backend int) {
	j := s.backends[backend].node
	delay := s.Delay[entry][j]
	s.after(delay, func() {
		result := probe{backend: backend, inFlight: s.nodes[j].inFlight, latency: p.expected(s, j), at: s.now, uses: probeUses}
		if p.roundTrip {
			result.latency += 2 * delay
		}
		s.after(delay, func() { p.probed(entry, result) })
	})
}

func (p *prequal) probed(entry int, result probe) {
	p.recent[entry].add(result.inFlight)
	pool := append(p.pool[entry], result)
	p.pool[entry] = pool[max(0, len(pool)-probesKept):]
}

func (p *prequal) replied(s *simulation, entry int, r *request) {
	if r.failed {
		p.down[entry][r.backend] = s.now + 1
	}
}

func (p *prequal) choose(s *simulation, entry int, _ *request) int {
	for range probesPerRequest {
		p.probe(s, entry, s.anyOf(s.endpoints))
	}
	pool := slices.DeleteFunc(p.pool[entry], func(each probe) bool {
		return s.now-each.at > probeAge || !s.backends[each.backend].alive && p.down[entry][each.backend] > s.now
	})
	p.pool[entry] = pool
	if len(pool) < 2 {
		return s.anyOf(s.endpoints)
	}
	best := coldest(pool, p.recent[entry].quantile(hotQuantile))
	backend := pool[best].backend
	pool[best].inFlight++
	if pool[best].uses--; pool[best].uses == 0 {
		pool = slices.Delete(pool, best, best+1)
	}
	p.pool[entry] = p.removeOne(entry, pool)
	return backend
}

// coldest is by latency among cold probes; if all are hot, by requests in flight.
func coldest(pool []probe, hot int) (best int) {
	for i := range pool {
		each, low := &pool[i], &pool[best]
		eachHot, lowHot := each.inFlight > hot, low.inFlight > hot
		switch {
		case eachHot != lowHot && lowHot, eachHot && lowHot && each.inFlight < low.inFlight, !eachHot && !lowHot && each.latency < low.latency:
			best = i
		}
	}
	return best
}

// removeOne removes the oldest probe and the worst in turn, while half of the pool would remain.
func (p *prequal) removeOne(entry int, pool []probe) []probe {
	if len(pool) <= probesKept/2 {
		return pool
	}
	remove := 0
	if p.oldest[entry] = !p.oldest[entry]; !p.oldest[entry] {
		for i := range pool {
			if pool[i].inFlight > pool[remove].inFlight {
				remove = i
			}
		}
	}
	return slices.Delete(pool, remove, remove+1)
}
