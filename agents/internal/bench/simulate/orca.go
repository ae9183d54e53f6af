package simulate

// orca is gRPC's weighted_round_robin (A58): each second, a node's weight is its requests per second, divided by
// its utilization.
type orca struct {
	stateless
	seen, weights [][]float64
}

func (*orca) period() float64 { return 1 }

func (p *orca) start(s *simulation) {
	p.seen, p.weights = table[float64](len(s.nodes), len(s.nodes)), table[float64](len(s.nodes), len(s.nodes))
	for _, weights := range p.weights {
		for j := range weights {
			weights[j] = float64(s.Plan.Backends[j])
		}
	}
}

func (p *orca) replied(s *simulation, entry int, r *request) {
	if r.utilization > 0 && !r.failed {
		p.seen[entry][s.backends[r.backend].node] = r.completionRate / r.utilization
	}
}

func (p *orca) tick(*simulation) {
	for entry, seen := range p.seen {
		sum, count := 0.0, 0.0
		for _, weight := range seen {
			if weight > 0 {
				sum, count = sum+weight, count+1
			}
		}
		if count < 2 {
			continue
		}
		for j, weight := range seen {
			if weight == 0 {
				weight = sum / count
			}
			p.weights[entry][j] = weight
		}
	}
}

func (p *orca) choose(s *simulation, entry int, _ *request) int {
	if j, drawn := s.draw(p.weights[entry]); drawn {
		return s.anyOf(s.local[j])
	}
	return s.anyOf(s.endpoints)
}
