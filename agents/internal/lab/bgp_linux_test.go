package lab_test

import (
	"strings"
	"testing"
	"time"
)

const spoken = `
routing: bgp
families: [ipv4]
nodes: [{name: node, count: 2}]
balancers: [{name: lb-1, node: node-1}, {name: lb-2, node: node-2}]
pods: [{name: web, count: 3}]
clients: [{name: client, traffic: [{service: web, connections: 4}, {service: web, connections: 4, requestsPerConnection: 10}]}]
`

// Everything between a balancer and the router's kernel is real here: probes, speakers,
// reflectors, and the router's own daemon.
func TestSpeakersTellTheRouter(t *testing.T) {
	l := newLaboratory(t, "bgp", spoken)
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })

	l.fault("freeze lb-1")
	l.waitForRoute("lb-2")
	l.fault("thaw lb-1")
	l.waitForRoute("lb-1", "lb-2")
	l.fault("kill lb-2.speaker")
	l.waitForRoute("lb-1")
	l.waitForRoute("lb-1", "lb-2") // it starts again
	l.fault("kill rr-1")           // the other one knows all routes
	l.waitForAnswers(100)
	l.fault("kill router") // the kernel goes on with what it has
	l.waitForAnswers(100)
	l.waitForRoute("lb-1", "lb-2")

	broken := l.broken()
	l.fault("drain node-2")
	l.waitForRoute("lb-1")
	l.fault("undrain node-2")
	l.waitForRoute("lb-1", "lb-2")
	l.fault("add balancer node-1")
	l.waitForRoute("lb-1", "lb-2", "lb-3")
	l.fault("remove balancer lb-1")
	l.waitFor("end of lb-1", func() bool { return l.member("lb-1").Name == "" && l.member("lb-1.speaker").Name == "" })
	l.waitForRoute("lb-2", "lb-3")
	l.waitForAnswers(100)
	if more := l.broken() - broken; more > 0 {
		t.Errorf("%d connections broke when balancers drained", more)
	}
}

// Without anybody who tells of routes, connections go on by the last ones, and what is back tells of the same.
func TestTrafficGoesOnWithoutReflectors(t *testing.T) {
	l := newLaboratory(t, "bgpr", spoken)
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
	broken := l.broken()
	l.fault("freeze rr-1")
	l.fault("freeze rr-2")
	time.Sleep((holdSeconds + 2) * time.Second) // no session is left by then
	l.waitForAnswers(100)
	l.waitForRoute("lb-1", "lb-2")
	l.fault("kill router") // which then knows nobody, and takes over what it finds
	l.waitForAnswers(100)
	l.waitForRoute("lb-1", "lb-2")
	l.fault("thaw rr-1")
	l.fault("thaw rr-2")
	l.waitForAnswers(100)
	l.waitForRoute("lb-1", "lb-2")
	if more := l.broken() - broken; more > 0 {
		t.Errorf("%d connections broke", more)
	}
}

const holdSeconds = 3 // of the laboratory's sessions

func TestAnOrdinaryUsersSpeakersTellTheRouter(t *testing.T) {
	for _, engine := range []string{"nftables", "userspace"} {
		t.Run(engine, func(t *testing.T) {
			l := newLaboratory(t, "bgpu", spoken+"engine: "+engine+"\n")
			l.asNobody()
			l.must("up", "--detach")
			l.waitForRoute("lb-1", "lb-2")
			l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
		})
	}
}

// waitForRoute waits until the router's kernel sends the service's address by these balancers.
func (l *laboratory) waitForRoute(balancers ...string) {
	l.t.Helper()
	l.waitFor("a route by "+strings.Join(balancers, " "), func() bool {
		status := l.status()
		names := map[string]string{}
		for _, m := range status.Members {
			if m.Kind == "balancer" {
				names[m.Addresses[0]] = m.Name
			}
		}
		for _, route := range status.Routes {
			seen := map[string]bool{}
			for _, via := range route.Via {
				seen[names[via]] = true
			}
			all := len(seen) == len(balancers)
			for _, name := range balancers {
				all = all && seen[name]
			}
			if all {
				return true
			}
		}
		return false
	})
}

func (l *laboratory) broken() (broken uint64) {
	for _, traffic := range l.status().Traffic {
		broken += traffic.Broken
	}
	return broken
}

// A balancer of another kind has no pages to ask, and what it answers itself is asked by a
// connection.
func TestASpeakerSpeaksForAnotherKindOfBalancer(t *testing.T) {
	l := newLaboratory(t, "bgpo", spoken+"detection: 100ms\n"+standIn+"services: [{name: web, delivery: proxy, check: {type: none}}]\n")
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	l.fault("freeze lb-1.speaker")
	l.waitForRoute("lb-2")
	l.fault("thaw lb-1.speaker")
	l.waitForRoute("lb-1", "lb-2")
}
