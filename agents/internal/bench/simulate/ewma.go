package simulate

import "math"

// ewma is the peak EWMA of Finagle and Linkerd: of two random endpoints, the one with the lower product of
// latency and own requests. Latency rises at once, and falls in 10 s.
type ewma struct {
	stateless
	latency, updated [][]float64
}

const (
	ewmaDecay = 10
	ewmaFirst = 0.03 // before the first reply
)

func (p *ewma) start(s *simulation) {
	p.latency, p.updated = table[float64](len(s.nodes), len(s.backends)), table[float64](len(s.nodes), len(s.backends))
	for _, latency := range p.latency {
		for backend := range latency {
			latency[backend] = ewmaFirst
		}
	}
}

// failedLatency is what subjects that measure latency take for a request that failed.
const failedLatency = 1

func (s *simulation) took(r *request) float64 {
	if r.failed {
		return failedLatency
	}
	return s.now - r.sent
}

func (p *ewma) replied(s *simulation, entry int, r *request) {
	took, latency := s.took(r), &p.latency[entry][r.backend]
	if keep := p.keep(s, entry, r.backend); took > *latency {
		*latency = took
	} else {
		*latency = *latency*keep + took*(1-keep)
	}
	p.updated[entry][r.backend] = s.now
}

func (p *ewma) keep(s *simulation, entry, backend int) float64 {
	return math.Exp(-(s.now - p.updated[entry][backend]) / ewmaDecay)
}

func (p *ewma) choose(s *simulation, entry int, _ *request) int {
	cost := func(backend int) float64 {
		return p.latency[entry][backend] * p.keep(s, entry, backend) * float64(s.open[entry][backend]+1)
	}
	a, b := s.two()
	if cost(b) < cost(a) {
		return b
	}
	return a
}
