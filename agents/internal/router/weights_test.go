package router_test

import (
	"net/netip"
	"testing"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/router"
)

func TestTheKernelsWeightsAreReported(t *testing.T) {
	driver, _, table, _ := begin(t, map[netip.Prefix][]netip.Addr{one: {a, b}})
	table.weights = map[netip.Addr]int{b: 3} // another program changed the group
	observed, err := driver.Observe(t.Context())
	must(t, err)
	report := new(agentv1.ReportRequest)
	router.NewRole(driver, "lo").Fill(observed, report)
	hops := report.GetBgp().GetRoutes()[0].GetNextHops()
	if len(hops) != 2 || hops[0].GetWeight() != 1 || hops[1].GetWeight() != 3 {
		t.Errorf("got %v, want weights 1 and 3", hops)
	}
}
