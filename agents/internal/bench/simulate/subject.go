package simulate

import (
	"maps"
	"slices"
)

// subject is a balancing strategy. It decides at each entry by what is known there.
type subject interface {
	start(s *simulation)
	choose(s *simulation, entry int, r *request) (backend int)
	replied(s *simulation, entry int, r *request)
	completed(s *simulation, node int, r *request)
	round(s *simulation, node int)           // the node sends its figures
	received(s *simulation, entry, from int) // figures of a node
	tick(s *simulation)
	period() float64 // of ticks; 0 for none
}

// stateless has the parts of a subject that most don't need.
type stateless struct{}

func (stateless) start(*simulation)                    {}
func (stateless) replied(*simulation, int, *request)   {}
func (stateless) completed(*simulation, int, *request) {}
func (stateless) round(s *simulation, node int)        { s.send(node) }
func (stateless) received(*simulation, int, int)       {}
func (stateless) tick(*simulation)                     {}
func (stateless) period() float64                      { return 0 }

// Adaptive is our strategy, as the agents and the kernel run it. AdaptivePerRequest decides again at each
// request, by what replies carry, which needs a proxy. Ideal is the same with all figures of all nodes, at once.
const (
	Adaptive           = "adaptive"
	AdaptivePerRequest = "adaptive-per-request"
	Ideal              = "ideal"
)

var subjects = map[string]func() subject{
	Adaptive:           func() subject { return &adaptive{} },
	AdaptivePerRequest: func() subject { return &perRequest{} },
	Ideal:              func() subject { return &perRequest{ideal: true} },

	"random":           func() subject { return random{} },      // kube-proxy with iptables or nftables
	"rr":               func() subject { return &roundRobin{} }, // IPVS, and kube-proxy in userspace mode
	"wrr":              func() subject { return &roundRobin{byCores: true} },
	"lc":               func() subject { return &least{cost: connections} },
	"sed":              func() subject { return &least{cost: shortestDelay} },
	"nq":               func() subject { return &least{cost: neverQueue} },
	"sh":               func() subject { return sourceHash{} },
	"dh":               func() subject { return destinationHash{} },
	"prefer-same-node": func() subject { return sameNode{} }, // Kubernetes' trafficDistribution
	"p2c":              func() subject { return twoChoices{} },

	"rap":            func() subject { return &rap{every: 15} }, // metrics-server's period
	"rap-1s":         func() subject { return &rap{every: 1} },
	"rap-pseudocode": func() subject { return &rap{every: 1, literal: true} },

	"envoy":   func() subject { return &envoy{} },
	"orca":    func() subject { return &orca{} },
	"ewma":    func() subject { return &ewma{} },
	"c3":      func() subject { return &c3{} },
	"prequal": func() subject { return &prequal{} },
	// With the round trip in the latency: the original is for one data center.
	"prequal-rtt": func() subject { return &prequal{roundTrip: true} },
}

// Subjects returns the names of all subjects.
func Subjects() []string { return slices.Sorted(maps.Keys(subjects)) }

// others are the subjects that ours is compared with.
func others() []string {
	return slices.DeleteFunc(Subjects(), func(name string) bool {
		return name == Adaptive || name == AdaptivePerRequest || name == Ideal
	})
}

func (s *simulation) anyOf(backends []int) int { return backends[s.random.IntN(len(backends))] }

// weight is what a backend may use of its node's cores.
func (s *simulation) weight(backend int) float64 {
	j := s.backends[backend].node
	return s.nodes[j].count / float64(s.Plan.Backends[j])
}

// lowest returns the endpoint with the lowest cost. It starts anywhere, so that equal ones have equal shares.
func (s *simulation) lowest(cost func(backend int) float64) int {
	first := s.random.IntN(len(s.endpoints))
	best := s.endpoints[first]
	low := cost(best)
	for i := 1; i < len(s.endpoints); i++ {
		backend := s.endpoints[(first+i)%len(s.endpoints)]
		if c := cost(backend); c < low {
			best, low = backend, c
		}
	}
	return best
}

// draw returns a node by its share; false where no node with endpoints has one.
func (s *simulation) draw(shares []float64) (node int, drawn bool) {
	sum := 0.0
	for j, share := range shares {
		if len(s.local[j]) > 0 {
			sum += share
		}
	}
	point := s.random.Float64() * sum
	for j, share := range shares {
		if len(s.local[j]) == 0 || share <= 0 {
			continue
		}
		node, drawn = j, true
		if point -= share; point < 0 {
			break
		}
	}
	return node, drawn
}
