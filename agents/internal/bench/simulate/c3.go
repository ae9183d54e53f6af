package simulate

// c3 is Suresh et al., NSDI 2015, without its rate control: the queue's estimate counts by its cube.
type c3 struct {
	stateless
	latency, service, queue [][]float64
}

func (p *c3) start(s *simulation) {
	n, m := len(s.nodes), len(s.backends)
	p.latency, p.service, p.queue = table[float64](n, m), table[float64](n, m), table[float64](n, m)
}

func (p *c3) replied(s *simulation, entry int, r *request) {
	const weight = 0.1
	latency, service, queue := &p.latency[entry][r.backend], &p.service[entry][r.backend], &p.queue[entry][r.backend]
	took := s.took(r)
	if *latency == 0 {
		*latency, *service = took, r.report.ServiceTime
	}
	*latency += weight * (took - *latency)
	if !r.failed {
		*service += weight * (r.report.ServiceTime - *service)
		*queue += weight * (r.report.InFlight - *queue)
	}
}

func (p *c3) choose(s *simulation, entry int, _ *request) int {
	return s.lowest(func(backend int) float64 {
		service := p.service[entry][backend]
		queue := (1 + float64(s.open[entry][backend]*len(s.nodes)) + p.queue[entry][backend]) / s.weight(backend)
		return p.latency[entry][backend] - service + queue*queue*queue*service
	})
}
