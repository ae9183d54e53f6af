package adaptive

import (
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestTheNodesWithTheFewestConnectionsAreLeftOut(t *testing.T) {
	node := func(id string, open uint64, share float64, chosen uint64) *agentv1.AdaptiveNodeStatus {
		return &agentv1.AdaptiveNodeStatus{NodeId: id, Open: open, Share: share, Chosen: chosen}
	}
	services := func() []*agentv1.AdaptiveServiceStatus {
		return []*agentv1.AdaptiveServiceStatus{
			{Nodes: []*agentv1.AdaptiveNodeStatus{node("unused", 0, 0, 0), node("open", 2, 0, 0), node("unused too", 0, 0, 0)}},
			{Nodes: []*agentv1.AdaptiveNodeStatus{node("formerly", 0, 0, 7), node("new", 0, 0.5, 1)}},
			{},
		}
	}
	for most, want := range map[int]string{
		5: "unused open unused too, formerly new, ",
		4: "unused open, formerly new, ",
		3: "open, formerly new, ",
		2: "open, new, ",
		1: "open, , ",
	} {
		all := services()
		message := keepBusiest(all, most)
		var got []string
		for _, service := range all {
			var ids []string
			for _, node := range service.GetNodes() {
				ids = append(ids, node.GetNodeId())
			}
			got = append(got, strings.Join(ids, " "))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("of %d, got %q", most, got)
		}
		if isWhole := most == 5; (message == "") != isWhole {
			t.Errorf("of %d the warning is %q", most, message)
		}
	}
}

func TestTheWarningAboutNodesLeftOutIsTheSameForSimilarNumbers(t *testing.T) {
	const most = 16_000
	warning := func(nodes int) string {
		service := &agentv1.AdaptiveServiceStatus{}
		for range nodes {
			service.Nodes = append(service.Nodes, &agentv1.AdaptiveNodeStatus{})
		}
		return keepBusiest([]*agentv1.AdaptiveServiceStatus{service}, most)
	}
	for nodes, want := range map[int]int{16_001: 16_000, 19_000: 16_000, 20_000: 16_000, 20_001: 20_000} {
		if got := warning(nodes); !strings.Contains(got, fmt.Sprintf("more than %d routes", want)) {
			t.Errorf("of %d the warning is %q", nodes, got)
		}
	}
}

// Series take up to a quarter of a message.
func TestTheLargestReportIsAccepted(t *testing.T) {
	const id, services = "nod_01jdq8z3v9x5m7k2r4t6w8y0bc", 4_095
	status := &agentv1.AdaptiveStatus{}
	for i := range services {
		service := &agentv1.AdaptiveServiceStatus{LoadBalancerId: id, Address: "2001:db8:1234:5678::10:1234", Port: 65_535, Protocol: "tcp", Refused: 1 << 40, ConnectionsPerSecond: proto.Float64(0.1), RequestsPerSecond: proto.Float64(0.1)}
		for range nodesReported/services + 1 {
			service.Nodes = append(service.Nodes, &agentv1.AdaptiveNodeStatus{
				NodeId: id, Open: 1 << 30, Chosen: 1 << 50, Failures: 1 << 30, Share: 0.1, InFlight: 0.1, RequestsPerSecond: 0.1,
				ServiceSeconds: 0.1, Cores: 0.1, CostNs: 1 << 40, ByWeight: true, Entered: 1 << 50, EnteredOpen: 1 << 30, Backends: 1 << 16,
			})
		}
		for range 2 {
			service.Backends = append(service.Backends, &agentv1.AdaptiveBackendStatus{Id: fmt.Sprint(id, i), Health: "unknown"})
		}
		status.Services = append(status.Services, service)
	}
	keepBusiest(status.Services, nodesReported)
	if size := proto.Size(status); size > int(agentv1.Limit_LIMIT_MESSAGE_BYTES)*3/4 {
		t.Errorf("got %d bytes", size)
	}
}
