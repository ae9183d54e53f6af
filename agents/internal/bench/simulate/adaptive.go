package simulate

import "fairlead.dev/agents/internal/adaptive/policy"

// adaptive is our strategy: the agent of each node calculates a policy.Cost for each node, and the kernel adds its own
// counters.
type adaptive struct {
	stateless
	agents  agents
	old     []bool      // of one decision
	avoided [][]float64 // until when, by entry and backend: a request there failed
	remote  []int       // the nodes, in a random order
	counts  []uint32    // backends by node
}

const (
	avoidedFor    = 1 // seconds
	mostRemote    = 8 // that are all candidates
	sampledRemote = 3 // random candidates, if there are more
)

func (p *adaptive) start(s *simulation) {
	n := len(s.nodes)
	p.avoided, p.old, p.counts = table[float64](n, len(s.backends)), make([]bool, n), make([]uint32, n)
	for j := range n {
		p.remote = append(p.remote, j)
	}
	p.agents = newAgents(s)
}

func (p *adaptive) round(s *simulation, node int)           { p.agents.round(s, node) }
func (p *adaptive) received(s *simulation, entry, from int) { p.agents.calculate(s, entry, from) }

func (p *adaptive) choose(s *simulation, entry int, _ *request) int {
	if backend, chosen := p.chooseOld(s, entry); chosen {
		return backend
	}
	best, low, equal := -1, uint64(0), 0
	if p.backend(s, entry, entry) >= 0 {
		best, low = entry, p.cost(s, entry, entry)
	}
	for _, j := range p.candidates(s, entry) {
		cost := p.cost(s, entry, j)
		switch {
		case best < 0 || cost < low:
			best, low, equal = j, cost, 1
		case cost == low && best != entry:
			if equal++; s.random.IntN(equal) == 0 {
				best = j
			}
		}
	}
	if best < 0 {
		return s.anyOf(s.endpoints)
	}
	return p.backend(s, entry, best)
}

func (p *adaptive) chooseOld(s *simulation, entry int) (backend int, chosen bool) {
	for j := range s.nodes {
		p.old[j] = j != entry && s.isOld(entry, j)
		p.counts[j] = uint32(len(s.local[j]))
	}
	j, chosen := policy.PickOld(p.counts, p.old, s.random.Uint32())
	if !chosen {
		return 0, false
	}
	backend = p.backend(s, entry, j)
	return backend, backend >= 0
}

// candidates are remote nodes with fresh figures and a usable backend: all, or random ones of many nodes with backends.
func (p *adaptive) candidates(s *simulation, entry int) []int {
	most := s.offering - min(1, len(s.local[entry]))
	if most > mostRemote {
		most = sampledRemote
	}
	found := 0
	for i := range p.remote {
		if found == most {
			break
		}
		k := i + s.random.IntN(len(p.remote)-i)
		p.remote[i], p.remote[k] = p.remote[k], p.remote[i]
		if j := p.remote[i]; j != entry && !p.old[j] && p.backend(s, entry, j) >= 0 {
			p.remote[i], p.remote[found] = p.remote[found], p.remote[i]
			found++
		}
	}
	return p.remote[:found]
}

// cost is what the kernel calculates.
func (p *adaptive) cost(s *simulation, entry, node int) uint64 {
	l := &s.links[entry][node]
	open := l.open
	if s.PerConnection > 1 {
		open = l.connections
	}
	if node == entry {
		return p.agents.costs[entry][node].Local(int64(s.nodes[node].inFlight), uint32(open))
	}
	return p.agents.costs[entry][node].Remote(uint32(open))
}

// backend is the usable one of a node with the fewest own requests; -1 for none.
func (p *adaptive) backend(s *simulation, entry, node int) int {
	best := -1
	for _, backend := range s.local[node] {
		if p.avoided[entry][backend] <= s.now && (best < 0 || s.open[entry][backend] < s.open[entry][best]) {
			best = backend
		}
	}
	return best
}

func (p *adaptive) replied(s *simulation, entry int, r *request) {
	if r.failed {
		p.avoided[entry][r.backend] = s.now + avoidedFor
	}
}
