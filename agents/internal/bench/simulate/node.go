package simulate

import (
	"math"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

// window is the period in which nodes update their averages, in seconds.
const window = 0.02

// node is a node, with what its agent measures.
type node struct {
	cores
	inFlight   int
	inFlightOf []int // by entry
	completed  int
	entered    int
	arrived    []int     // by entry
	rateOf     []float64 // requests per second, by entry
	entryRate  float64
	service    policy.ServiceTime
	// What an application reports by ORCA.
	utilization, completionRate float64

	before struct { // at the last window
		busy               float64
		completed, entered int
		arrived            []int
	}
}

func newNode(count float64, nodes int) node {
	n := node{cores: cores{count: count, speed: 1}, inFlightOf: make([]int, nodes), arrived: make([]int, nodes), rateOf: make([]float64, nodes)}
	n.before.arrived = make([]int, nodes)
	return n
}

// measure updates the averages of the window that ends now.
func (n *node) measure(now float64) {
	n.advance(now)
	busy, completed := n.busy-n.before.busy, n.completed-n.before.completed
	n.service.Add(time.Duration(window*float64(time.Second)), busy, completed)
	for entry := range n.rateOf {
		average(&n.rateOf[entry], float64(n.arrived[entry]-n.before.arrived[entry])/window, 0.5)
	}
	average(&n.entryRate, float64(n.entered-n.before.entered)/window, 0.5)
	average(&n.utilization, busy/window/n.count, 1)
	average(&n.completionRate, float64(completed)/window, 1)
	n.before.busy, n.before.completed, n.before.entered = n.busy, n.completed, n.entered
	copy(n.before.arrived, n.arrived)
}

// average moves an average by one window. In so many seconds, old values lose all but 1/e of their weight.
func average(value *float64, current, seconds float64) {
	*value += (1 - math.Exp(-window/seconds)) * (current - *value)
}

func (n *node) totalRate() (total float64) {
	for _, rate := range n.rateOf {
		total += rate
	}
	return total
}

// figures are those that node `own`, this one, sends to the receiver.
func (n *node) figures(own, receiver int) policy.Figures {
	total := n.totalRate()
	return policy.Figures{
		Cores: n.count, ServiceTime: n.service.Seconds(), Rate: total, RateOfOthers: total - n.rateOf[own], RateOfReceiver: n.rateOf[receiver],
		EntryRate: n.entryRate, InFlight: float64(n.inFlight), InFlightOfReceiver: float64(n.inFlightOf[receiver]),
	}
}
