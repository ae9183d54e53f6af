package simulate

// least is for the algorithms of IPVS that count connections. Each entry knows only its own.
type least struct {
	stateless
	cost func(own, weight float64) float64
}

func connections(own, _ float64) float64        { return own }
func shortestDelay(own, weight float64) float64 { return (own + 1) / weight }

func neverQueue(own, weight float64) float64 {
	if own == 0 {
		return -weight
	}
	return shortestDelay(own, weight)
}

func (p *least) choose(s *simulation, entry int, _ *request) int {
	return s.lowest(func(backend int) float64 {
		own := float64(s.open[entry][backend])
		if s.PerConnection > 1 {
			j := s.backends[backend].node
			own = float64(s.links[entry][j].connections) / float64(s.Plan.Backends[j])
		}
		return p.cost(own, s.weight(backend))
	})
}

// twoChoices is Envoy's least request: of two random endpoints, the one with fewer own requests.
type twoChoices struct{ stateless }

func (twoChoices) choose(s *simulation, entry int, _ *request) int {
	a, b := s.two()
	if s.open[entry][b] < s.open[entry][a] {
		return b
	}
	return a
}

// two returns two different endpoints, if there are two.
func (s *simulation) two() (a, b int) {
	i := s.random.IntN(len(s.endpoints))
	k := i
	if len(s.endpoints) > 1 {
		if k = s.random.IntN(len(s.endpoints) - 1); k >= i {
			k++
		}
	}
	return s.endpoints[i], s.endpoints[k]
}
