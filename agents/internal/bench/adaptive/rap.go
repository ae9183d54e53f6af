package adaptive

import (
	"time"

	algorithm "fairlead.dev/agents/internal/bench/rap"
)

// usage is what a metrics server reports of a node's backend.
type usage struct {
	cpu time.Duration // used so far
	ram float64       // share of its limit
}

const rapPeriod = time.Second

// rap decides by what was measured in the last period. The pseudo-code of its paper never clears BestNode, which is
// literal. Metrics are a second old, which is better for it than the 15 seconds of a metrics-server.
type rap struct {
	entry   int
	literal bool
	read    func() [nodes]usage
	before  [nodes]usage
	at      time.Duration
	seen    [nodes]algorithm.Node // none before the first period, in which requests stay local
	best    int                   // -1: none
}

func newRAP(entry int, literal bool, read func() [nodes]usage) *rap {
	return &rap{entry: entry, literal: literal, read: read, before: read(), best: -1}
}

func (r *rap) tick(now time.Duration) {
	if now-r.at < rapPeriod {
		return
	}
	current, passed := r.read(), now-r.at
	for node := range nodes {
		cpu := float64(current[node].cpu-r.before[node].cpu) / float64(passed) / nodeCores
		// All other nodes are equally near.
		r.seen[node] = algorithm.Node{CPU: cpu, RAM: current[node].ram, Distance: 1, HasBackends: true}
	}
	if best := algorithm.Best(r.entry, r.seen[:], 1, algorithm.Threshold); best >= 0 || !r.literal {
		r.best = best
	}
	r.before, r.at = current, now
}

func (r *rap) choose([]int) int {
	return algorithm.Choose(r.entry, r.seen[r.entry], r.best, algorithm.Threshold)
}
