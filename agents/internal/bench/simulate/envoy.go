package simulate

import "math"

// envoy is load_aware_locality with its defaults: each node is a locality, utilization comes with replies.
type envoy struct {
	stateless
	reported [][]float64 // utilization, by entry and node; -1 before the first reply
	smooth   [][]float64
	shares   [][]float64
	turns    []int
}

const (
	envoyVariance = 0.1  // how much busier than the others the local node may be
	envoyProbes   = 0.03 // the least share of remote nodes
)

func (*envoy) period() float64 { return 1 }

func (p *envoy) start(s *simulation) {
	n := len(s.nodes)
	p.reported, p.smooth, p.shares, p.turns = table[float64](n, n), table[float64](n, n), table[float64](n, n), make([]int, n)
	for entry := range n {
		for j := range n {
			p.reported[entry][j], p.smooth[entry][j] = -1, -1
		}
	}
}

func (p *envoy) replied(s *simulation, entry int, r *request) {
	if !r.failed {
		p.reported[entry][s.backends[r.backend].node] = r.utilization
	}
}

func (p *envoy) tick(s *simulation) {
	for entry := range s.nodes {
		p.share(s, entry)
	}
}

func (p *envoy) share(s *simulation, entry int) {
	shares, total, remoteHosts, remoteUse := p.shares[entry], 0.0, 0.0, 0.0
	for j := range s.nodes {
		hosts, use := float64(len(s.local[j])), p.utilization(entry, j)
		shares[j] = hosts * max(0, 1-use)
		total += shares[j]
		if j != entry {
			remoteHosts += hosts
			remoteUse += hosts * use
		}
	}
	if total == 0 {
		for j := range shares {
			shares[j] = float64(len(s.local[j]))
		}
		return
	}
	if len(s.local[entry]) == 0 || remoteHosts == 0 {
		return
	}
	if max(0, p.smooth[entry][entry]) <= remoteUse/remoteHosts+envoyVariance {
		clear(shares)
		shares[entry] = total
	}
	if missing := envoyProbes*total - (total - shares[entry]); missing > 0 {
		missing = min(missing, shares[entry])
		shares[entry] -= missing
		for j := range shares {
			if j != entry {
				shares[j] += missing * float64(len(s.local[j])) / remoteHosts
			}
		}
	}
}

// utilization is averaged over 5 s.
func (p *envoy) utilization(entry, node int) float64 {
	smooth, reported := &p.smooth[entry][node], p.reported[entry][node]
	if reported < 0 {
		return 0
	}
	if *smooth < 0 {
		*smooth = reported
	}
	*smooth += (1 - math.Exp(-1.0/5)) * (reported - *smooth)
	return *smooth
}

func (p *envoy) choose(s *simulation, entry int, _ *request) int {
	j, drawn := s.draw(p.shares[entry])
	if !drawn {
		return s.anyOf(s.endpoints)
	}
	p.turns[entry]++
	return s.local[j][p.turns[entry]%len(s.local[j])]
}
