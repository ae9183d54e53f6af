package adaptive

import (
	"cmp"
	"fmt"
	"slices"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const nodesReported = int(agentv1.Limit_LIMIT_REPORT_ADAPTIVE_NODES)

// keepBusiest leaves out the nodes with the fewest connections if all services together have more than most, because
// the control plane refuses a report that is too large. It returns a warning about that, or an empty one. The warning is
// the same for similar numbers, because each other one is an event.
func keepBusiest(services []*agentv1.AdaptiveServiceStatus, most int) string {
	var all []*agentv1.AdaptiveNodeStatus
	for _, one := range services {
		all = append(all, one.GetNodes()...)
	}
	if len(all) <= most {
		return ""
	}
	slices.SortStableFunc(all, func(a, b *agentv1.AdaptiveNodeStatus) int {
		return cmp.Or(cmp.Compare(b.GetOpen(), a.GetOpen()), cmp.Compare(b.GetShare(), a.GetShare()), cmp.Compare(b.GetChosen(), a.GetChosen()))
	})
	isKept := map[*agentv1.AdaptiveNodeStatus]bool{}
	for _, node := range all[:most] {
		isKept[node] = true
	}
	for _, one := range services {
		one.Nodes = slices.DeleteFunc(one.Nodes, func(node *agentv1.AdaptiveNodeStatus) bool { return !isKept[node] })
	}
	const step = 5_000
	return fmt.Sprintf("It has more than %d routes from services to nodes, and reports the %d with the most connections.", max(most, (len(all)-1)/step*step), most)
}
