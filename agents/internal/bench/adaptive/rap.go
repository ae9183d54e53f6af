package adaptive

import "time"

// usage is what a metrics server reports of a node's backend.
type usage struct {
	cpu time.Duration // used so far
	ram float64       // share of its limit
}

const (
	rapThreshold = 0.9 // of CPU and of RAM, as in its paper
	rapPeriod    = time.Second
)

// rap is Algorithm 1 of Nguyen et al., Sensors 22(8) 2869: local while CPU and RAM of the node's backend are below the
// threshold, otherwise at the node with the highest score of free CPU, free RAM and nearness, with equal weights. By its
// text, requests stay local if no other node is below the threshold. Its pseudo-code never clears BestNode, which is
// literal. Metrics are a second old, which is better for it than the 15 seconds of a metrics-server.
type rap struct {
	entry   int
	literal bool
	read    func() [nodes]usage
	before  [nodes]usage
	at      time.Duration
	isBusy  [nodes]bool
	best    int // -1: none
}

func newRAP(entry int, literal bool, read func() [nodes]usage) *rap {
	return &rap{entry: entry, literal: literal, read: read, before: read(), best: -1}
}

func (r *rap) tick(now time.Duration) {
	if now-r.at < rapPeriod {
		return
	}
	current, passed := r.read(), now-r.at
	best, high := -1, 0.0
	for node := range nodes {
		cpu := float64(current[node].cpu-r.before[node].cpu) / float64(passed) / nodeCores
		r.isBusy[node] = cpu >= rapThreshold || current[node].ram >= rapThreshold
		if node == r.entry || r.isBusy[node] {
			continue
		}
		// All other nodes are equally near, so nearness adds the same to each score.
		if score := (1 - cpu + 1 - current[node].ram) / 3; best < 0 || score > high {
			best, high = node, score
		}
	}
	if best >= 0 || !r.literal {
		r.best = best
	}
	r.before, r.at = current, now
}

func (r *rap) choose([]int) int {
	if r.isBusy[r.entry] && r.best >= 0 {
		return r.best
	}
	return r.entry
}
