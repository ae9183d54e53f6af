package soak

import (
	"net/netip"
	"slices"

	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/topology"
)

// settled reports whether the lab matches its topology.
func settled(status lab.Status, t *topology.Topology) bool {
	count := map[string]int{}
	for _, m := range status.Members {
		count[m.Kind]++
		if m.Cut || m.Drained || m.Kind == "balancer" && m.State != "ready" || m.Kind == "pod" && m.State != "active" {
			return false
		}
	}
	return count["balancer"] == len(t.Balancers) && count["pod"] == len(t.Pods) && routed(status, t, len(t.Balancers))
}

// routed reports whether each service leads to exactly the given number of ready balancers, and nothing leads
// elsewhere.
func routed(status lab.Status, t *topology.Topology, balancers int) bool {
	var ready []string
	for _, m := range status.Members {
		if m.Kind == "balancer" && m.State == "ready" {
			ready = append(ready, m.Addresses...)
		}
	}
	wanted := map[string]bool{}
	for _, service := range t.Services {
		for _, address := range service.Addresses() {
			wanted[netip.PrefixFrom(address, address.BitLen()).String()] = true
		}
	}
	for _, route := range status.Routes {
		if !wanted[route.To] || len(route.Via) != balancers || slices.ContainsFunc(route.Via, func(via string) bool { return !slices.Contains(ready, via) }) {
			return false
		}
	}
	return len(status.Routes) == len(wanted)
}
