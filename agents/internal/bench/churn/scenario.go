package churn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/models"
	"fairlead.dev/agents/internal/lab/topology"
)

// Scenario is the sequence of changes and their times.
type Scenario struct {
	Topology *topology.Topology
	Text     string        // that it was read from
	Span     time.Duration // from the start of the measurement to its end
	Warmup   time.Duration // of traffic before
	Backends int           // added, and as many removed later
	Replicas int
	Loss     float64 // on each cable of the topology, in percent
}

// step is one change of the lab.
type step struct {
	at   time.Duration
	verb []string
}

// Fractions of the span: replicas change in the middle of each wave of backends.
const (
	comingFrom, comingTo = 0.05, 0.30
	replicaComes         = 0.18
	goingFrom, goingTo   = 0.42, 0.66
	replicaGoes          = 0.55
	replicaReturns       = 0.74 // replaces the removed one, and must have none of its state
)

// steps are all changes in order of time. The oldest members are removed, because they have the most
// connections.
func (s Scenario) steps() []step {
	group, first := s.group(), s.Topology.Balancers
	var steps []step
	wave := func(count int, from, to float64, verb func(i int) []string) {
		for i := range count {
			part := from + (to-from)*float64(i)/float64(max(1, count-1))
			if count == 1 {
				part = from
			}
			steps = append(steps, step{time.Duration(part * float64(s.Span)), verb(i)})
		}
	}
	wave(s.Backends, comingFrom, comingTo, func(int) []string { return []string{"add", "pod", group} })
	wave(s.Replicas, replicaComes, comingTo, func(int) []string { return []string{"add", "balancer"} })
	wave(s.Backends, goingFrom, goingTo, func(i int) []string { return []string{"remove", "pod", s.Topology.Pods[i].Name} })
	wave(s.Replicas, replicaGoes, goingTo, func(i int) []string { return []string{"remove", "balancer", first[i].Name} })
	wave(s.Replicas, replicaReturns, replicaReturns, func(int) []string { return []string{"add", "balancer"} })
	slices.SortStableFunc(steps, func(a, b step) int { return int(a.at - b.at) })
	return steps
}

// group is the group of the only service.
func (s Scenario) group() string { return s.Topology.Services[0].Group }

// changes are the same changes for a model, after the warm-up.
func (s Scenario) changes() []models.Change {
	var backends, replicas []string
	for _, pod := range s.Topology.Pods {
		backends = append(backends, pod.Name)
	}
	for _, balancer := range s.Topology.Balancers {
		replicas = append(replicas, balancer.Name)
	}
	newest, newestReplica := len(backends), len(replicas)
	var changes []models.Change
	note := func(at time.Duration) {
		slices.Sort(backends)
		slices.Sort(replicas)
		changes = append(changes, models.Change{At: at, Backends: slices.Clone(backends), Replicas: slices.Clone(replicas)})
	}
	note(0)
	for _, step := range s.steps() {
		switch strings.Join(step.verb[:2], " ") {
		case "add pod":
			newest++
			backends = append(backends, fmt.Sprintf("%s-%d", s.group(), newest))
		case "add balancer":
			newestReplica++
			replicas = append(replicas, fmt.Sprintf("lb-%d", newestReplica))
		case "remove pod":
			backends = without(backends, step.verb[2])
		case "remove balancer":
			replicas = without(replicas, step.verb[2])
		}
		note(s.Warmup + step.at)
	}
	return changes
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(names, func(other string) bool { return other == name })
}

// traffic is the traffic of all clients together.
func (s Scenario) traffic() []topology.Traffic {
	var all []topology.Traffic
	for _, client := range s.Topology.Clients {
		all = append(all, client.Traffic...)
	}
	return all
}

// silence is how long a connection may be idle.
func (s Scenario) silence() time.Duration {
	var longest time.Duration
	for _, t := range s.traffic() {
		longest = max(longest, pauseOf(t))
	}
	return longest
}

func pauseOf(t topology.Traffic) time.Duration {
	return time.Duration(float64(time.Second) * float64(t.Connections) / t.PerSecond)
}

// longest is the maximum lifetime of a connection without delays.
func (s Scenario) longest() time.Duration {
	var longest time.Duration
	for _, t := range s.traffic() {
		longest = max(longest, time.Duration(max(0, t.RequestsPerConnection-1))*pauseOf(t))
	}
	return longest
}

// Check returns an error for an invalid scenario.
func (s Scenario) Check() error {
	t := s.Topology
	switch {
	case len(t.Services) != 1 || t.Services[0].Serve != topology.TCP:
		return fmt.Errorf("topology %s: the scenario needs one service that serves tcp", t.Name)
	case s.Backends < 1 || s.Backends >= len(t.Pods):
		return fmt.Errorf("--backends is %d; give 1 to %d: some of the %d pods have to stay", s.Backends, len(t.Pods)-1, len(t.Pods))
	case s.Replicas < 0 || s.Replicas >= len(t.Balancers):
		return fmt.Errorf("--replicas is %d; give 0 to %d: some of the %d balancers have to stay", s.Replicas, len(t.Balancers)-1, len(t.Balancers))
	case s.Span < time.Second || s.Warmup < 0:
		return fmt.Errorf("--for is %v and --warmup is %v; give at least 1s and 0s", s.Span, s.Warmup)
	case s.longest() > t.Services[0].Drain:
		return fmt.Errorf("topology %s: connections live for %v and a removed pod keeps them for %v: let it drain longer", t.Name, s.longest(), t.Services[0].Drain)
	case s.silence() > t.Services[0].Fill:
		return fmt.Errorf("topology %s: connections are silent for %v and a pod counts as new for %v: let it fill longer", t.Name, s.silence(), t.Services[0].Fill)
	}
	for _, traffic := range s.traffic() {
		if traffic.RequestsPerConnection == 0 {
			return fmt.Errorf("topology %s: connections that are kept for ever end with the pods that go: set requestsPerConnection", t.Name)
		}
	}
	return nil
}
