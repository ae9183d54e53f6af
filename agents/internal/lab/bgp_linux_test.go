package lab_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"syscall"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/racing"
)

const spoken = `
routing: bgp
families: [ipv4]
nodes: [{name: node, count: 2}]
balancers: [{name: lb-1, node: node-1}, {name: lb-2, node: node-2}]
pods: [{name: web, count: 3}]
clients: [{name: client, traffic: [{service: web, connections: 4}, {service: web, connections: 4, requestsPerConnection: 10}]}]
`

// Everything between a balancer and the router's kernel is real here: probes, speakers, reflectors, and the
// router's own daemon.
func TestSpeakersAdvertiseToTheRouter(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bgp", spoken)
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })

	l.fault("freeze lb-1")
	l.waitForRoute("lb-2")
	l.fault("thaw lb-1")
	l.waitForRoute("lb-1", "lb-2")
	l.fault("kill lb-2.speaker")
	l.waitForRoute("lb-1")
	l.waitForRoute("lb-1", "lb-2") // it restarts
	l.waitForOffers(4)
	l.fault("kill rr-1") // the other reflector has all routes
	l.waitForAnswers(100)
	l.fault("kill router") // the kernel keeps its routes
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

// A frozen balancer doesn't reply although its speaker runs: three timed-out probes withdraw its routes, on
// the speaker's own clock.
func TestAFrozenBalancersRoutesAreWithdrawnWithinASecond(t *testing.T) {
	t.Parallel()
	const most = time.Second + 500*time.Millisecond // three probes of 200 ms with the same timeout, on a busy machine
	l := newTestLab(t, "bgpf", spoken)
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	announced := l.announcement("lb-1")
	l.fault("freeze lb-1")
	frozen := time.Now()
	var withdrawn *agentv1.Announcement
	l.waitFor("withdrawal", func() bool {
		withdrawn = l.announcement("lb-1")
		return withdrawn.GetState() == "withdrawn"
	})
	if took := withdrawn.GetSince().AsTime().Sub(frozen); took > most*racing.Slower {
		t.Errorf("%s was withdrawn %s after its balancer froze: %s", announced.GetPrefix(), took, withdrawn.GetReason())
	}
	l.waitForRoute("lb-2")
	l.fault("thaw lb-1")
	l.waitForRoute("lb-1", "lb-2")
}

// Without peers, connections continue over the last routes; peers that return advertise the same routes.
func TestTrafficContinuesWithoutReflectors(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bgpr", spoken)
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
	l.waitForOffers(4)
	broken := l.broken()
	l.fault("freeze rr-1")
	l.fault("freeze rr-2")
	time.Sleep((holdSeconds + 2) * time.Second) // all sessions have expired by then
	l.waitForAnswers(100)
	l.waitForRoute("lb-1", "lb-2")
	l.fault("kill router") // without peers, it adopts the existing routes
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

// As when a pod ends: all its processes get the signal at once.
func TestABalancerAndItsSpeakerStoppedTogetherBreakNoConnection(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bgpe", spoken)
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
	broken := l.broken()
	l.terminate("lb-1", "lb-1.speaker")
	l.waitForRoute("lb-2")
	l.waitFor("other processes", func() bool { return l.member("lb-1").Starts == 2 && l.member("lb-1.speaker").Starts == 2 })
	l.waitForRoute("lb-1", "lb-2")
	l.waitForAnswers(100)
	if more := l.broken() - broken; more > 0 {
		t.Errorf("%d connections broke", more)
	}
}

// Connections of a userspace balancer exist on no other replica, so the process keeps running until they have
// ended.
func TestTheLastBalancerRunsWhileAClientIsConnected(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bgpl", `
routing: bgp
families: [ipv4]
engine: userspace
balancers: [{name: lb, count: 1}]
clients: [{name: client, delay: 1ms}]
`)
	l.must("up", "--detach")
	l.waitForRoute("lb-1")
	dial, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	conn, err := l.space("client").Dial(dial, "tcp", "203.0.113.1:80")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	request := func() {
		t.Helper()
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		if _, err := fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: web\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Fatal(err)
		}
	}
	request()
	l.terminate("lb-1", "lb-1.speaker")
	const lives = 4 * time.Second // longer than a balancer waits for its speaker, and shorter than the drain
	for began := time.Now(); time.Since(began) < lives; time.Sleep(100 * time.Millisecond) {
		request()
	}
	if starts := l.member("lb-1").Starts; starts != 1 {
		t.Errorf("the balancer has ended %d times before its connection", starts-1)
	}
	_ = conn.Close()
	l.waitFor("other processes", func() bool { return l.member("lb-1").Starts == 2 && l.member("lb-1.speaker").Starts == 2 })
}

// terminate sends processes the signal that a kubelet or an init system sends.
func (l *testLab) terminate(members ...string) {
	l.t.Helper()
	var pids []int // looked up first: a lookup starts a process, and balancer and speaker wait only one second for each other
	for _, name := range members {
		pids = append(pids, l.member(name).Pid)
	}
	for _, pid := range pids {
		if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
			l.t.Fatal(err)
		}
	}
}

const holdSeconds = 3 // of the lab's sessions

func TestAnOrdinaryUsersSpeakersAdvertiseToTheRouter(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"nftables", "userspace"} {
		t.Run(engine, func(t *testing.T) {
			l := newTestLab(t, "bgpu", spoken+"engine: "+engine+"\n")
			l.asNobody()
			l.must("up", "--detach")
			l.waitForRoute("lb-1", "lb-2")
			l.waitFor("answers of all pods", func() bool { _, by := l.answered(); return len(by) == 3 })
		})
	}
}

// A third-party balancer has no pages to query; a proxied service is probed by a connection.
func TestASpeakerAdvertisesForAnotherKindOfBalancer(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "bgpo", spoken+"detection: 100ms\n"+standIn+"services: [{name: web, delivery: proxy, check: {type: none}}]\n")
	l.must("up", "--detach")
	l.waitForRoute("lb-1", "lb-2")
	l.fault("freeze lb-1.speaker")
	l.waitForRoute("lb-2")
	l.fault("thaw lb-1.speaker")
	l.waitForRoute("lb-1", "lb-2")
}
