package lab

import "testing"

func TestOnlyABalancerWithAnAddressGetsPackets(t *testing.T) {
	for _, test := range []struct {
		name     string
		reported readiness
		want     bool
	}{
		{"not ready", readiness{why: "it doesn't answer"}, false},
		{"ready for an address", readiness{ready: true, own: true, serves: "203.0.113.1\n"}, true},
		{"ready for none yet", readiness{ready: true, own: true}, false},
		{"third-party, ready for all", readiness{ready: true}, true},
	} {
		node := &member{kind: node, name: "node-1"}
		balancer := &member{kind: balancer, name: "lb-1", node: node.name, ready: test.reported.ready, serves: test.reported.addresses()}
		l := &Lab{members: map[string]*member{node.name: node, balancer.name: balancer}}
		if got := l.carries(balancer); got != test.want {
			t.Errorf("%s: gets packets %v, want %v", test.name, got, test.want)
		}
	}
}
