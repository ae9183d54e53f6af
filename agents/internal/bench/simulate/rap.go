package simulate

import "math"

// rap is Algorithm 1 of Nguyen et al., Sensors 22(8) 2869: local while the node's pods are below the threshold,
// otherwise the node with the best score of free CPU, free RAM and nearness, in equal parts. The comparison
// signs that the printed algorithm lost are those of its text. If all are overloaded, requests stay local by the
// text. The pseudo-code keeps its last BestNode for ever, which is literal.
type rap struct {
	stateless
	every   float64
	literal bool
	cpu     []float64 // of the pods on each node
	used    []float64
	best    []int // by entry; -1 for none
	turns   []int
}

// ramFree is equal everywhere, because memory is not simulated.
const ramFree = 0.5

func (p *rap) period() float64 { return p.every }

func (p *rap) start(s *simulation) {
	n := len(s.nodes)
	p.cpu, p.used, p.best, p.turns = make([]float64, n), make([]float64, n), make([]int, n), make([]int, n)
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
		best, high := -1, math.Inf(-1)
		for j := range s.nodes {
			if j == entry || len(s.local[j]) == 0 || p.cpu[j] >= s.Threshold {
				continue
			}
			if score := (1 - p.cpu[j] + ramFree + 1 - s.Delay[entry][j]/longest) / 3; score > high {
				best, high = j, score
			}
		}
		if best >= 0 || !p.literal {
			p.best[entry] = best
		}
	}
}

func (p *rap) choose(s *simulation, entry int, _ *request) int {
	j := entry
	if overloaded := len(s.local[entry]) == 0 || p.cpu[entry] >= s.Threshold; overloaded && p.best[entry] >= 0 {
		j = p.best[entry]
	}
	if len(s.local[j]) == 0 {
		return s.anyOf(s.endpoints)
	}
	p.turns[entry]++
	return s.local[j][p.turns[entry]%len(s.local[j])]
}
