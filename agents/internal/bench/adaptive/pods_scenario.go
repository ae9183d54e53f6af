package adaptive

import (
	"fmt"
	"slices"
)

// KubeProxy is a Service of Kubernetes, which kube-proxy distributes at random.
const KubeProxy = "kube-proxy"

// podSubjects can be compared in pods.
var podSubjects = []string{Ours, KubeProxy}

// PodScenario is the load of a turn in pods.
type PodScenario struct {
	Scenario
	IsStressed bool // another pod of the first node uses CPU time for the whole turn
}

// Loads with a stressed node: with the lower one, that node can still serve its part of an even distribution.
const (
	lowLoad  = 0.15
	highLoad = 0.4
)

// podScenarios are with a stressed node, and those of figure 7 in the paper on RAP: a number of requests at once, which all
// enter at the first node. Their delay is set when the nodes start.
var podScenarios = append([]PodScenario{
	{Scenario{Name: "a stressed node, load 0.15", Shares: even, Load: lowLoad}, true},
	{Scenario{Name: "a stressed node, load 0.4", Shares: even, Load: highLoad}, true},
}, concentrated(1, 2, 4, 8, 16, 32)...)

func concentrated(counts ...int) (all []PodScenario) {
	for _, count := range counts {
		all = append(all, PodScenario{Scenario: Scenario{Name: fmt.Sprintf("%d:0:0:0", count), Users: []int{count, 0, 0, 0}}})
	}
	return all
}

// chosenPodScenarios returns those with the names; all without names.
func chosenPodScenarios(names []string) (chosen []PodScenario, err error) {
	if len(names) == 0 {
		return podScenarios, nil
	}
	for _, name := range names {
		i := slices.IndexFunc(podScenarios, func(one PodScenario) bool { return one.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no scenario %q of pods", name)
		}
		chosen = append(chosen, podScenarios[i])
	}
	return chosen, nil
}
