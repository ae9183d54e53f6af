package simulate

import (
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// agents are those of all nodes. Each reads its counts in the same period, at a time of its own, and sends the figures of
// that moment. It calculates its own node's costs then, and those of another node when figures of it arrive.
type agents struct {
	meters  []meter
	answers [][]float64     // per second, by entry and node
	replies [][]int         // when answers were last updated, by entry and node
	counted []float64       // when that was, by entry
	costs   [][]policy.Cost // by entry and node
}

const (
	// readToSent and arrivedToWritten are more than an agent takes with 100 services, in seconds.
	readToSent, arrivedToWritten = 1e-3, 1e-3

	// answersWindow is that of how many answers per second agents get.
	answersWindow = 0.2
)

func newAgents(s *simulation) agents {
	n := len(s.nodes)
	a := agents{answers: table[float64](n, n), replies: table[int](n, n), counted: make([]float64, n), costs: table[policy.Cost](n, n)}
	for range n {
		a.meters = append(a.meters, newMeter(n))
	}
	for entry := range n {
		for j := range n {
			a.calculate(s, entry, j)
		}
	}
	return a
}

// round is one of a node's agent. A busy service has another one before the next.
func (a *agents) round(s *simulation, j int) {
	usual := s.usual(j)
	a.meters[j].service.SetUsual(usual.Seconds())
	a.exchange(s, j)
	a.calculate(s, j, j)
	if a.meters[j].totalRate() >= policy.BusyRate {
		s.after(s.Exchange/2, func() { a.exchange(s, j) })
	}
}

func (a *agents) exchange(s *simulation, j int) {
	a.meters[j].read(&s.nodes[j], s.now)
	a.count(s, j)
	for to := range s.nodes {
		if to != j {
			sent := report{s.now, a.meters[j].figures(&s.nodes[j], j, to)}
			s.after(readToSent+s.Delay[j][to]+arrivedToWritten, func() { s.receive(j, to, sent) })
		}
	}
}

// count updates the answers to a node.
func (a *agents) count(s *simulation, entry int) {
	period := s.now - a.counted[entry]
	if period <= 0 {
		return
	}
	a.counted[entry] = s.now
	for j := range s.nodes {
		replies := s.links[entry][j].replies
		average(&a.answers[entry][j], float64(replies-a.replies[entry][j])/period, period, answersWindow)
		a.replies[entry][j] = replies
	}
}

// entered is how many requests per second enter at a node, as those that serve them count.
func (a *agents) entered(s *simulation, entry int) (rate float64) {
	for j := range s.nodes {
		if j == entry {
			rate += a.meters[j].rateOf[j]
		} else {
			rate += s.links[entry][j].exchanged.RateOfReceiver
		}
	}
	return rate
}

func (a *agents) calculate(s *simulation, entry, node int) {
	l := &s.links[entry][node]
	figures := l.exchanged.Figures
	if entry == node {
		figures = a.meters[node].figures(&s.nodes[node], node, node)
	}
	from := policy.Entry{
		Local: entry == node, Nodes: len(s.nodes), Answers: a.answers[entry][node],
		RoundTrip: time.Duration(2 * s.Delay[entry][node] * float64(time.Second)), Setup: s.setup(),
	}
	if figures.ServiceTime == 0 {
		usual := s.usual(entry)
		usual.Add(a.meters[entry].service.Seconds())
		from.Usual = usual.Seconds()
	}
	if s.PerConnection > 1 {
		rate := a.entered(s, entry) / float64(max(1, s.openConnections(entry)))
		from.Connections = policy.Connections{Open: l.connections, Life: float64(s.PerConnection) / max(rate, 1e-3), Rate: rate}
	}
	a.costs[entry][node].Calculate(figures, from)
}
