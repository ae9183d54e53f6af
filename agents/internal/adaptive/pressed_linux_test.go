package adaptive

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Another program in the cgroup of a node's backends wants all cores. No request shows it.
func TestANodeThatOtherProgramsKeepBusyOffersFewerCores(t *testing.T) {
	nodes := newLab(t, 2)
	for _, n := range nodes {
		n.stop()
		config := configOf(n, nodes)
		config.GetAdaptive().Cores = 0
		n.runAgent(config)
	}
	first, second := nodes[0], nodes[1]
	all := float64(runtime.NumCPU())
	offered := func(what string, is func(cores float64) bool) {
		t.Helper()
		second.wait(what, func(status *agentv1.AdaptiveStatus) bool {
			nodes := status.GetServices()[0].GetNodes()
			at := slices.IndexFunc(nodes, func(n *agentv1.AdaptiveNodeStatus) bool { return n.GetNodeId() == first.id })
			return at >= 0 && nodes[at].GetCores() > 0 && is(nodes[at].GetCores())
		})
	}
	offered("all cores", func(cores float64) bool { return cores > 0.9*all })
	kill := first.start(first.cgroup, burnerPart, 2*runtime.NumCPU())
	offered("fewer", func(cores float64) bool { return cores < 0.7*all })
	for end := time.Now().Add(patience); !strings.Contains(first.ask(eventsRequest), NodePressed); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("events %s", first.ask(eventsRequest))
		}
	}
	kill()
	offered("all cores again", func(cores float64) bool { return cores > 0.9*all })
}
