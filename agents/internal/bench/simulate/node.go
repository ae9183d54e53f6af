package simulate

import "fairlead.dev/agents/internal/adaptive/policy"

// node is a node, with what is counted there.
type node struct {
	cores
	inFlight   int
	inFlightOf []int // by entry
	completed  int
	entered    int
	arrived    []int // by entry
	meter      meter // what replies carry
}

func newNode(count float64, nodes int) node {
	return node{cores: cores{count: count, speed: 1}, inFlightOf: make([]int, nodes), arrived: make([]int, nodes), meter: newMeter(nodes)}
}

// figures are those that node `own`, this one, sends to the receiver.
func (n *node) figures(own, receiver int) policy.Figures { return n.meter.figures(n, own, receiver) }
