package soak

import (
	"testing"

	"fairlead.dev/agents/internal/lab"
	"fairlead.dev/agents/internal/lab/topology"
)

func TestOnlyRoutesToReadyBalancersAreSettled(t *testing.T) {
	small, err := topology.Parse([]byte("name: small\nfamilies: [ipv4]\nbalancers: [{name: lb, count: 2}]\npods: [{name: web, count: 1}]"))
	if err != nil {
		t.Fatal(err)
	}
	members := []lab.MemberStatus{
		{Name: "lb-1", Kind: "balancer", State: "ready", Addresses: []string{"10.0.0.1"}},
		{Name: "lb-2", Kind: "balancer", State: "ready", Addresses: []string{"10.0.0.2"}},
		{Name: "lb-3", Kind: "balancer", State: "leaving", Addresses: []string{"10.0.0.3"}},
	}
	to := func(prefix string, via ...string) lab.RouteStatus {
		return lab.RouteStatus{At: "router", To: prefix, Via: via}
	}
	for _, test := range []struct {
		name   string
		routes []lab.RouteStatus
		want   bool
	}{
		{"all of them", []lab.RouteStatus{to("203.0.113.1/32", "10.0.0.1", "10.0.0.2")}, true},
		{"one is missing", []lab.RouteStatus{to("203.0.113.1/32", "10.0.0.1")}, false},
		{"a leaving one still has a route", []lab.RouteStatus{to("203.0.113.1/32", "10.0.0.1", "10.0.0.3")}, false},
		{"a route without a service", []lab.RouteStatus{to("203.0.113.1/32", "10.0.0.1", "10.0.0.2"), to("203.0.113.9/32", "10.0.0.1", "10.0.0.2")}, false},
		{"none", nil, false},
	} {
		if got := routed(lab.Status{Members: members, Routes: test.routes}, small, 2); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
