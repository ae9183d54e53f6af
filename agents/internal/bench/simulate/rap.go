package simulate

import algorithm "fairlead.dev/agents/internal/bench/rap"

// rap decides by the CPU that the pods of each node used in the last period. The pseudo-code of its paper keeps its last
// BestNode for ever, which is literal.
type rap struct {
	stateless
	every   float64
	literal bool
	cpu     []float64 // of the pods on each node
	used    []float64
	best    []int // by entry; -1 for none
	turns   []int
	seen    []algorithm.Node
}

// ramUsed is equal everywhere, because memory is not simulated.
const ramUsed = 0.5

func (p *rap) period() float64 { return p.every }

func (p *rap) start(s *simulation) {
	n := len(s.nodes)
	p.cpu, p.used, p.best, p.turns = make([]float64, n), make([]float64, n), make([]int, n), make([]int, n)
	p.seen = make([]algorithm.Node, n)
	for entry := range p.best {
		p.best[entry] = -1
	}
}

func (p *rap) tick(s *simulation) {
	longest := 0.0
	for j := range s.nodes {
		n := &s.nodes[j]
		n.advance(s.now)
		p.cpu[j] = (n.used - p.used[j]) / p.every / n.count
		p.used[j] = n.used
		for entry := range s.nodes {
			longest = max(longest, s.Delay[entry][j])
		}
	}
	for entry := range s.nodes {
		for j := range s.nodes {
			p.seen[j] = p.node(s, entry, j)
		}
		best := algorithm.Best(entry, p.seen, longest, s.Threshold)
		if best >= 0 || !p.literal {
			p.best[entry] = best
		}
	}
}

// node returns a node as RAP sees it from an entry.
func (p *rap) node(s *simulation, entry, j int) algorithm.Node {
	return algorithm.Node{CPU: p.cpu[j], RAM: ramUsed, Distance: s.Delay[entry][j], HasBackends: len(s.local[j]) > 0}
}

func (p *rap) choose(s *simulation, entry int, _ *request) int {
	j := algorithm.Choose(entry, p.node(s, entry, entry), p.best[entry], s.Threshold)
	if len(s.local[j]) == 0 {
		return s.anyOf(s.endpoints)
	}
	p.turns[entry]++
	return s.local[j][p.turns[entry]%len(s.local[j])]
}
