package adaptive

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/exposition/expositiontest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestTheStatusShowsWhyConnectionsWentWhereTheyDid(t *testing.T) {
	first := newLab(t, 3)[0]
	first.visitUntil("few are served here", shop, few, isLocal)
	first.status()
	got := first.visit(shop, many)
	status := first.status()
	if status.GetProblem() != "" || status.GetMeshAddress() != "10.9.0.1:7448" || status.GetCores() != 1 || status.GetCorrected() != 0 {
		t.Errorf("%v", status)
	}
	service := status.GetServices()[0]
	if !service.GetReady() || service.GetMessage() != "" || len(service.GetBackends()) != 1 || service.GetBackends()[0].GetHealth() != "up" {
		t.Errorf("%v", service)
	}
	if service.ConnectionsPerSecond == nil || service.GetConnectionsPerSecond() <= 0 || service.GetRequestsPerSecond() <= 0 {
		t.Errorf("%v", service)
	}
	if standby := status.GetServices()[1].GetNodes(); standby[0].GetBackends() != 1 || standby[2].GetBackends() != 0 {
		t.Errorf("the service with a backend on standby: %v", standby)
	}
	if len(service.GetNodes()) != 3 {
		t.Fatalf("%v", service.GetNodes())
	}
	for _, node := range service.GetNodes() {
		if share := got.share(node.GetNodeId()); node.GetShare() < share-0.01 || node.GetShare() > share+0.01 {
			t.Errorf("%s has the share %v, and served %v", node.GetNodeId(), node.GetShare(), share)
		}
		if node.GetByWeight() || node.GetCostNs() == 0 || node.GetServiceSeconds() < requestTime.Seconds()*0.9 || node.GetCores() != 1 || node.GetBackends() != 1 {
			t.Errorf("%v", node)
		}
	}
	for _, peer := range status.GetPeers() {
		if least := 4 * delay.Seconds() * 1e3; peer.GetState() != "exchanging" || peer.GetRoundTripMs() < least || peer.GetRoundTripMs() > least+3 {
			t.Errorf("%v", peer)
		}
	}
	wantDecisions(t, status.GetDecisions())
}

// Each sampled one went to the least cost.
func wantDecisions(t *testing.T, decisions []*agentv1.AdaptiveDecision) {
	t.Helper()
	if len(decisions) == 0 {
		t.Error("no decision was sampled")
	}
	for _, one := range decisions {
		costs := map[string]uint64{}
		for _, candidate := range one.GetCandidates() {
			costs[candidate.GetNodeId()] = candidate.GetCostNs()
		}
		for node, cost := range costs {
			if !one.GetByWeight() && cost < costs[one.GetNodeId()] {
				t.Errorf("%s was cheaper than the chosen node: %v", node, one)
			}
		}
		if one.GetLoadBalancerId() != "lb_0" || one.GetBackendId() == "" || len(costs) == 0 {
			t.Errorf("%v", one)
		}
	}
}

func TestTheMetricsPageHasEachNode(t *testing.T) {
	first := newLab(t, 1)[0]
	first.stop()
	driver := first.newDriver()
	t.Cleanup(func() { must(t, driver.Close()) })
	desired, err := ParseDesired(unchecked(configOf(first, []*labNode{first})))
	must(t, err)
	_, err = driver.Set(t.Context(), desired)
	must(t, err)
	visited := first.visit(shop, few).Served["n1"]
	answer := httptest.NewRecorder()
	driver.Pages(nil)["/metrics"].ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	page := answer.Body.String()
	expositiontest.Lint(t, page)
	want := fmt.Sprintf(`fairlead_adaptive_chosen_total{load_balancer="lb_0",service="10.96.0.10:80/tcp",to="n1"} %d`, visited)
	if !strings.Contains(page, want) {
		t.Errorf("%s\nhas no %s", page, want)
	}
	if changes, err := driver.Set(t.Context(), desired); err != nil || changes != 0 {
		t.Errorf("an equal config made %d changes (%v)", changes, err)
	}
}
