package adaptive

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Scenario is the load of a turn, and what happens in it.
type Scenario struct {
	Name   string
	Delay  time.Duration // round trip between two nodes
	Users  []int         // of each node, who send a request after each answer; empty: requests are due at random times
	Shares []float64     // of requests, by node
	Load   float64       // of what all nodes can serve
	Event  Event
	Over   transport
	// Outside: clients aren't on nodes. Their connections enter at a balancer next to the agent.
	Outside bool
	Only    []string // subjects; all when empty
}

// Event changes the lab in the middle of a turn.
type Event string

// The events. All but the last concern the first node.
const (
	slowNode      Event = "slow node"      // its server takes four times as long
	busyNeighbour Event = "busy neighbour" // another process takes ¾ of its CPU time
	surge         Event = "surge"          // four times as many requests enter there
	killedPod     Event = "killed pod"     // its server is killed
	coldStart     Event = "cold start"     // all agents start again, before the turn, and have no figures of earlier requests
)

const (
	slowBy  = 4
	surgeBy = 4

	short = 3 * time.Millisecond
	long  = 18 * time.Millisecond
)

var (
	even    = []float64{.25, .25, .25, .25}
	skewed  = []float64{.7, .1, .1, .1}
	allBusy = []int{8, 8, 8, 8}
	oneBusy = []int{32, 0, 0, 0}
)

// Alone is the scenario that checks the plan: one node serves its own clients, and no other node has any.
const Alone = "one node alone"

// scenarios are sorted by delay, because each delay has its own lab.
var scenarios = []Scenario{
	{Name: Alone, Delay: short, Users: []int{8, 0, 0, 0}, Only: []string{sameNode}},
	{Name: "8:8:8:8, 3 ms", Delay: short, Users: allBusy},
	{Name: "32:0:0:0, 3 ms", Delay: short, Users: oneBusy},
	{Name: "70:10:10:10, 3 ms", Delay: short, Shares: skewed, Load: 0.8, Only: others(sameNode)},
	{Name: "slow node, 3 ms", Delay: short, Shares: even, Load: 0.5, Event: slowNode, Only: few},
	{Name: "busy neighbour, 3 ms", Delay: short, Shares: even, Load: 0.5, Event: busyNeighbour, Only: few},
	{Name: "surge, 3 ms", Delay: short, Shares: even, Load: 0.5, Event: surge, Only: few},
	{Name: "killed pod, 3 ms", Delay: short, Shares: even, Load: 0.5, Event: killedPod, Only: []string{Ours}},
	{Name: "cold start, 3 ms", Delay: short, Shares: even, Load: 0.5, Event: coldStart, Only: []string{Ours}},
	{Name: "70:10:10:10 over UDP, 3 ms", Delay: short, Shares: skewed, Load: 0.8, Over: overUDP, Only: few},
	{Name: "70:10:10:10 over IPv6, 3 ms", Delay: short, Shares: skewed, Load: 0.8, Over: overIPv6, Only: few},
	{Name: "70:10:10:10 from outside, 3 ms", Delay: short, Shares: skewed, Load: 0.6, Outside: true, Only: few},
	{Name: "8:8:8:8, 18 ms", Delay: long, Users: allBusy},
	{Name: "70:10:10:10, 18 ms", Delay: long, Shares: skewed, Load: 0.8, Only: others(sameNode)},
	{Name: "even, 18 ms", Delay: long, Shares: even, Load: 0.5},
}

// others are all subjects but one, which would be overloaded.
func others(one string) []string {
	return slices.DeleteFunc(slices.Clone(subjects), func(name string) bool { return name == one })
}

// few are the subjects of scenarios with an event, or over another transport than TCP and IPv4.
var few = []string{Ours, random, leastConnections}

// rate returns the requests per second that enter at a node.
func (s *Scenario) rate(node int) float64 {
	if len(s.Users) > 0 {
		return 0
	}
	return s.Shares[node] * s.Load * nodes * nodeRate
}

func (s *Scenario) users(node int) int {
	if len(s.Users) == 0 {
		return 0
	}
	return s.Users[node]
}

// has reports whether a subject is measured in the scenario.
func (s *Scenario) has(subject string) bool {
	return len(s.Only) == 0 || slices.Contains(s.Only, subject)
}

// chosenScenarios returns those with the names; all without names.
func chosenScenarios(names []string) (chosen []Scenario, err error) {
	if len(names) == 0 {
		return scenarios, nil
	}
	var known []string
	for _, one := range scenarios {
		known = append(known, one.Name)
		if slices.Contains(names, one.Name) {
			chosen = append(chosen, one)
		}
	}
	for i := range whatIfs {
		known = append(known, whatIfs[i].Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("there is no scenario %q; give some of: %s", name, strings.Join(known, "; "))
		}
	}
	return chosen, nil
}
