package simulate

import (
	"math"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// perRequest is our strategy without the kernel's limits: each decision has the newest figures, also of replies.
// The ideal one has those of all nodes at once, and those of requests that are still on their way.
type perRequest struct {
	adaptive
	ideal      bool
	values     [][]policy.Value
	calculated [][]float64 // when
}

// valuesAge is how long values are used: rates are averages over much more.
const valuesAge = 0.02

func (p *perRequest) round(s *simulation, node int)  { s.send(node) }
func (p *perRequest) received(*simulation, int, int) {}
func (p *perRequest) period() float64                { return 0.05 }

// tick sets at each node how long requests take at others.
func (p *perRequest) tick(s *simulation) {
	for j := range s.nodes {
		usual := s.usual(j)
		s.nodes[j].meter.service.SetUsual(usual.Seconds())
	}
}

func (p *perRequest) start(s *simulation) {
	p.adaptive.start(s)
	n := len(s.nodes)
	p.values, p.calculated = table[policy.Value](n, n), table[float64](n, n)
	for _, calculated := range p.calculated {
		for j := range calculated {
			calculated[j] = -1
		}
	}
}

func (p *perRequest) choose(s *simulation, entry int, _ *request) int {
	best, low := -1, math.Inf(1)
	if p.backend(s, entry, entry) >= 0 {
		best, low = entry, p.cost(s, entry, entry)
	}
	first := s.random.IntN(len(s.nodes))
	for i := range s.nodes {
		j := (first + i) % len(s.nodes)
		if j == entry || p.backend(s, entry, j) < 0 {
			continue
		}
		if cost := p.cost(s, entry, j); cost < low {
			best, low = j, cost
		}
	}
	if best < 0 {
		return s.anyOf(s.endpoints)
	}
	return p.backend(s, entry, best)
}

func (p *perRequest) cost(s *simulation, entry, node int) float64 {
	n, l := &s.nodes[node], &s.links[entry][node]
	figures, count := l.carried.Figures, 0.0
	switch {
	case p.ideal:
		figures = n.figures(node, entry)
		figures.ServiceTime, figures.Cores = s.ServiceTime/n.speed, n.free()
		count = float64(n.inFlight + p.arriving(s, node))
	case node == entry:
		figures = n.figures(node, node)
		count = figures.InFlight
	case s.PerConnection > 1:
		count = figures.InFlight
	default:
		count = remoteCount(s, l, figures, s.Delay[entry][node])
	}
	if figures.ServiceTime == 0 {
		figures.ServiceTime = s.ServiceTime
	}
	cost := 0.0
	if node != entry {
		cost = 2 * s.Delay[entry][node]
		if !p.ideal {
			cost *= 1 + policy.CrossingPrice
		}
	}
	value := &p.values[entry][node]
	if s.PerConnection > 1 {
		rate := s.nodes[entry].meter.entryRate / float64(max(1, s.openConnections(entry)))
		load := max(0, figures.Rate-figures.RateOfReceiver) + float64(l.connections+1)*rate
		value.Set(load, figures.ServiceTime, figures.Cores)
		return cost + value.Lasting(count, float64(s.PerConnection)/max(rate, 1e-3))
	}
	if at := &p.calculated[entry][node]; *at < 0 || s.now-*at > valuesAge {
		value.Set(figures.Rate, figures.ServiceTime, figures.Cores)
		*at = s.now
	}
	return cost + value.Of(count)
}

func (p *perRequest) arriving(s *simulation, node int) (count int) {
	for entry := range s.nodes {
		count += s.links[entry][node].onTheWay
	}
	return count
}

// remoteCount is what policy.Cost.Remote counts, without its integers.
func remoteCount(s *simulation, l *link, figures policy.Figures, delay float64) float64 {
	own := max(0, float64(l.open)-l.replyRate*delay)
	count := figures.InFlight - figures.InFlightOfReceiver + own
	if since := own - figures.InFlightOfReceiver; since > 0 && figures.RateOfReceiver > 0 {
		ratio := figures.RateOfOthers / figures.RateOfReceiver
		count += since * (min(max(ratio, 1), float64(len(s.nodes)-1)) - 1)
	}
	return max(0, count)
}
