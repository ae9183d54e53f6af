package simulate

// random is any endpoint.
type random struct{ stateless }

func (random) choose(s *simulation, _ int, _ *request) int { return s.anyOf(s.endpoints) }

// roundRobin is smooth: each backend earns its weight, and the one with the most pays for all.
type roundRobin struct {
	stateless
	byCores bool
	credit  [][]float64
}

func (p *roundRobin) start(s *simulation) { p.credit = table[float64](len(s.nodes), len(s.backends)) }

func (p *roundRobin) choose(s *simulation, entry int, _ *request) int {
	credit, best, total := p.credit[entry], -1, 0.0
	for _, backend := range s.endpoints {
		weight := 1.0
		if p.byCores {
			weight = s.weight(backend)
		}
		credit[backend] += weight
		total += weight
		if best < 0 || credit[backend] > credit[best] {
			best = backend
		}
	}
	credit[best] -= total
	return best
}

// sourceHash is by the client's address.
type sourceHash struct{ stateless }

func (sourceHash) choose(s *simulation, entry int, r *request) int {
	hash := uint64(entry)<<32 | uint64(r.client)
	hash ^= hash >> 30
	hash = (hash + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	hash ^= hash >> 27
	hash *= 0x94d049bb133111eb
	return s.endpoints[(hash^hash>>31)%uint64(len(s.endpoints))]
}

// destinationHash is by the service's address, which all requests share: one backend serves them all.
type destinationHash struct{ stateless }

func (destinationHash) choose(s *simulation, _ int, _ *request) int { return s.endpoints[0] }

// sameNode is a local endpoint where there is one, otherwise any.
type sameNode struct{ stateless }

func (sameNode) choose(s *simulation, entry int, _ *request) int {
	if local := s.local[entry]; len(local) > 0 {
		return s.anyOf(local)
	}
	return s.anyOf(s.endpoints)
}
