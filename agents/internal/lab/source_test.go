package lab

import (
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab/topology"
)

func TestPodsFillAndDrain(t *testing.T) {
	described, err := topology.Parse([]byte("name: t\nfamilies: [ipv4]\nservices: [{name: web, fill: 10s, drain: 20s}]"))
	if err != nil {
		t.Fatal(err)
	}
	source := newPods(described)
	start := time.Unix(1_000_000, 0)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	add := func(name string, when time.Time) {
		pod := topology.Pod{Member: topology.Member{Name: name, Node: "node-1"}, Group: "web", Weight: 1}
		source.add(pod, []netip.Addr{netip.MustParseAddr("10.64.1.2")}, when)
	}
	add("first", time.Time{})
	for _, step := range []struct {
		name string
		do   func()
		at   int
		want map[string]string
	}{
		{"at first", func() {}, 0, map[string]string{"first": "active"}},
		{"one is added", func() { add("new", at(0)) }, 0, map[string]string{"first": "active", "new": "filling"}},
		{"still filling", func() {}, 9, map[string]string{"first": "active", "new": "filling"}},
		{"filled", func() {}, 10, map[string]string{"first": "active", "new": "active"}},
		{"one leaves", func() { source.leave("first", at(11)) }, 11, map[string]string{"first": "draining", "new": "active"}},
		{"kept before its drain ends", func() { source.stay("first", at(12)) }, 12, map[string]string{"first": "active", "new": "active"}},
		{"removed again", func() { source.leave("first", at(11)) }, 13, map[string]string{"first": "draining", "new": "active"}},
		{"removed twice", func() { source.leave("first", at(20)) }, 30, map[string]string{"first": "draining", "new": "active"}},
		{"its drain is over", func() {}, 31, map[string]string{"first": "inactive", "new": "active"}},
		{"kept afterwards", func() { source.stay("first", at(32)) }, 33, map[string]string{"first": "filling", "new": "active"}},
		{"removed", func() { source.remove("first") }, 34, map[string]string{"new": "active"}},
	} {
		step.do()
		got := map[string]string{}
		for _, backend := range source.Services(at(step.at))[0].GetBackends() {
			got[backend.GetId()] = backend.GetState()
		}
		if len(got) != len(step.want) {
			t.Fatalf("%s: %v", step.name, got)
		}
		for id, state := range step.want {
			if got[id] != state {
				t.Fatalf("%s: %s is %s, want %s", step.name, id, got[id], state)
			}
			if gone := source.gone(id, at(step.at)); gone != (state == "inactive") {
				t.Fatalf("%s: gone(%s) is %t", step.name, id, gone)
			}
		}
	}
}

func TestAServiceIsDescribedOncePerFamily(t *testing.T) {
	described, err := topology.Parse([]byte("name: t\nservices: [{name: web, delivery: nat}]"))
	if err != nil {
		t.Fatal(err)
	}
	source := newPods(described)
	where := addresses{described}
	source.add(described.Pods[0], where.pod(1, 1).addrs(), time.Time{})
	services := source.Services(time.Unix(0, 0))
	if len(services) != 2 {
		t.Fatalf("%d services", len(services))
	}
	for i, want := range []struct{ id, address, backend string }{
		{"lb_t_web_ipv4", "203.0.113.1", "10.64.1.2"}, {"lb_t_web_ipv6", "2001:db8:113::1", "fd64:0:0:1::2"},
	} {
		s := services[i]
		if s.GetLoadBalancerId() != want.id || s.GetAddress() != want.address || len(s.GetBackends()) != 1 || s.GetBackends()[0].GetAddress() != want.backend ||
			s.GetDelivery() != "nat" || s.GetProtocol() != "tcp" || s.GetHealthCheck().GetPath() != "/healthz" {
			t.Errorf("%v", s)
		}
	}
}
