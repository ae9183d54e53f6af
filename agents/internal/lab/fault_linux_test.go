package lab_test

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTheRoutersNextHopsFollowReadiness(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "hops", standIn)
	l.must("up", "--detach")
	l.waitForHops("router", "lb-1 lb-2")
	if !l.status().Resilient {
		t.Error("the groups are not resilient, which kernels have had since 5.13")
	}

	l.fault("freeze lb-1")
	l.waitForHops("router", "lb-2")
	if m := l.member("lb-1"); m.State != "frozen" {
		t.Errorf("%+v", m)
	}
	l.fault("thaw lb-1")
	l.waitForHops("router", "lb-1 lb-2")

	before := l.member("lb-1")
	l.fault("kill lb-1")
	l.waitForHops("router", "lb-2")
	l.waitForHops("router", "lb-1 lb-2") // it is restarted
	if after := l.member("lb-1"); after.Pid == before.Pid || after.Starts != 2 {
		t.Errorf("before %+v, after %+v", before, after)
	}

	if result := l.fault("add balancer node-1"); !strings.Contains(result, "added lb-3 on node-1") {
		t.Error(result)
	}
	l.waitForHops("router", "lb-1 lb-3 lb-2")
	l.fault("remove balancer lb-1")
	if hops := l.hops("router"); hops != "lb-3 lb-2" {
		t.Errorf("%q at once", hops)
	}
	l.waitFor("end of lb-1", func() bool { return l.member("lb-1").Name == "" })

	l.fault("drain node-2")
	if hops := l.hops("router"); hops != "lb-3" {
		t.Errorf("%q at once", hops)
	}
	l.fault("remove balancer lb-3")
	if hops := l.hops("router"); hops != "" {
		t.Errorf("%q at once", hops)
	}
	l.fault("undrain node-2")
	l.waitForHops("router", "lb-2")
	l.waitForAnswers(10)
}

func TestRoutedNodesForwardToTheirOwnBalancers(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "route", standIn+`
network: routed
balancers: [{name: lb, count: 3}]
clients: [{name: client, traffic: [{service: web, connections: 40, perSecond: 200, requestsPerConnection: 1}]}]
`)
	l.must("up", "--detach")
	l.waitForHops("router", "node-1 node-2")
	l.waitForHops("node-1", "lb-1 lb-3")
	l.waitForHops("node-2", "lb-2")
	// Router and node hash with different seeds, so each balancer gets some.
	l.waitFor("answers of all three", func() bool { _, by := l.answered(); return len(by) == 3 })
	l.fault("freeze lb-2")
	l.waitForHops("router", "node-1")
	l.waitForHops("node-2", "")
	l.waitForAnswers(10)
}

func TestACutCableCarriesNothing(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "cut", standIn+"clients: [{name: client, delay: 1ms, traffic: [{service: web}]}]\n")
	l.must("up", "--detach")
	l.waitForAnswers(10)
	for _, cable := range []string{"client", "node-1"} {
		l.fault("cut " + cable)
		if m := l.member(cable); !m.Cut {
			t.Errorf("%+v", m)
		}
		// With a delay line, the member's own end stays plugged in.
		if state := l.must("exec", cable, "ip", "-br", "link", "show", "eth0"); cable == "node-1" && !strings.Contains(state, "DOWN") {
			t.Errorf("%s: %s", cable, state)
		}
		if l.connects("client", "10.64.1.3") {
			t.Errorf("a packet came over %s's cable", cable)
		}
		l.fault("restore " + cable)
		l.waitForAnswers(10)
	}
	// With every node cut off the router's bridge has no carrier, and the kernel drops its next hops.
	l.fault("cut node-1")
	l.fault("cut node-2")
	l.waitForHops("router", "")
	l.fault("restore node-1")
	l.fault("restore node-2")
	l.waitForHops("router", "lb-1 lb-2")
	for _, address := range []string{"203.0.113.1", "2001:db8:113::1"} {
		l.waitFor("a connection to "+address, func() bool { return l.connects("client", address) })
	}
}

// connects reports whether a member can connect to an address within a second.
func (l *testLab) connects(member, address string) bool {
	l.t.Helper()
	ctx, stop := context.WithTimeout(l.t.Context(), time.Second)
	defer stop()
	conn, err := l.space(member).Dial(ctx, "tcp", net.JoinHostPort(address, "80"))
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

func TestACableHasTheConfiguredDelay(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "delay", standIn+"clients: [{name: client, delay: 10ms}]\n")
	l.must("up", "--detach")
	space := l.space("client")
	connect := func() time.Duration {
		took := []time.Duration{}
		for range 15 {
			began := time.Now()
			conn, err := space.Dial(t.Context(), "tcp", net.JoinHostPort("10.64.1.3", "80"))
			if err != nil {
				t.Fatal(err)
			}
			took = append(took, time.Since(began))
			_ = conn.Close()
		}
		slices.Sort(took)
		return took[len(took)/2]
	}
	for _, step := range []struct {
		change string
		delay  time.Duration
	}{
		{"", 10 * time.Millisecond}, {"delay client 40ms", 40 * time.Millisecond}, {"delay client 0ms", 0},
	} {
		if step.change != "" {
			l.fault(step.change)
		}
		const most, rounds = 25 * time.Millisecond, 20
		took := connect()
		for range rounds { // one good round is enough: in the others the machine was busy
			if took <= 2*step.delay+most {
				break
			}
			took = connect()
		}
		if took < 2*step.delay || took > 2*step.delay+most {
			t.Errorf("a connection takes %s over a cable of %s", took, step.delay)
		}
	}
	l.fault("delay client 0ms 100%")
	if m := l.member("client"); m.Link == nil || m.Link.Loss != 1 {
		t.Errorf("%+v", m.Link)
	}
	lost := l.member("client").Link.Lost
	if l.connects("client", "10.64.1.3") {
		t.Error("something came through a cable that loses everything")
	}
	if now := l.member("client").Link.Lost; now <= lost {
		t.Errorf("%d frames count as lost, and %d before", now, lost)
	}
}

func TestAFrozenOrKilledPodRecovers(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "freeze", standIn)
	l.must("up", "--detach")
	l.waitForAnswers(1)
	answers := func() bool {
		answered := false
		err := l.space("client").Do(func() error {
			dialer := net.Dialer{Timeout: time.Second}
			conn, err := dialer.Dial("tcp", net.JoinHostPort("10.64.1.3", "80"))
			if err != nil {
				return nil
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(time.Second))
			_, _ = conn.Write([]byte("GET / HTTP/1.0\r\n\r\n"))
			n, _ := conn.Read(make([]byte, 100))
			answered = n > 0
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return answered
	}
	l.waitFor("an answer", answers)
	l.fault("freeze web-1")
	if answers() {
		t.Error("a frozen pod answers")
	}
	l.fault("thaw web-1")
	l.waitFor("an answer", answers)
	pid := l.member("web-1").Pid
	l.fault("kill web-1")
	l.waitFor("another process", func() bool { m := l.member("web-1"); return m.Pid != 0 && m.Pid != pid })
	l.waitFor("an answer", answers)
}

func TestPodsAreAddedDrainedAndRemoved(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "pods", standIn+`
pods: [{name: web, count: 2}]
services: [{name: web, fill: 3s, drain: 3s}]
`)
	l.must("up", "--detach")
	states := func() string {
		data, err := os.ReadFile(filepath.Join(l.root, l.name, "lb-2", "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		var config struct {
			Balancer struct {
				Services []struct{ Backends []struct{ ID, State string } }
			}
		}
		if err := json.Unmarshal(data, &config); err != nil {
			t.Fatal(err)
		}
		var states []string
		for _, backend := range config.Balancer.Services[0].Backends {
			states = append(states, backend.ID+" "+backend.State)
		}
		return strings.Join(states, ", ")
	}
	wait := func(want string) {
		t.Helper()
		l.waitFor(want, func() bool { return states() == want })
	}
	// changes applies a change and checks during it: the immediate state lasts only 3 s.
	changes := func(fault, atOnce, then string) {
		t.Helper()
		change := l.command("fault", strings.Fields(fault)...)
		if err := change.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := change.Wait(); err != nil {
				t.Errorf("%s: %v", fault, err)
			}
		}()
		wait(atOnce)
		wait(then)
	}
	wait("web-1 active, web-2 active")
	changes("add pod web", "web-1 active, web-2 active, web-3 filling", "web-1 active, web-2 active, web-3 active")
	changes("remove pod web-1", "web-1 draining, web-2 active, web-3 active", "web-2 active, web-3 active")
	l.waitFor("end of web-1", func() bool { return l.member("web-1").Name == "" })
	l.fault("drain node-2")
	wait("web-2 inactive, web-3 active")
	changes("undrain node-2", "web-2 filling, web-3 active", "web-2 active, web-3 active")
	// The freed name and node slot are used again.
	if result := l.fault("add pod web node-1"); !strings.Contains(result, "added web-1 on node-1") {
		t.Error(result)
	}
}

func TestInvalidFaultsReturnTheReason(t *testing.T) {
	t.Parallel()
	l := newTestLab(t, "wrong", standIn)
	l.must("up", "--detach")
	for fault, want := range map[string]string{
		"burn web-1":            `there is no fault "burn"`,
		"cut":                   `"cut" takes other arguments`,
		"cut web-9":             `there is no node or reflector or balancer or pod or client "web-9": name one of node-1`,
		"freeze node-1":         "nothing runs in node-1",
		"delay client 10ms":     "the cable of client has no length: give it a delay or loss in the topology",
		"drain web-1":           `there is no node "web-1": name one of node-1, node-2`,
		"add pod cache":         `no service has pods "cache"`,
		"add pod web node-7":    `there is no node "node-7"`,
		"remove balancer web-1": `there is no balancer "web-1": name one of lb-1, lb-2`,
		"thaw router":           "nothing runs in router",
	} {
		if out, err := l.try("fault", strings.Fields(fault)...); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v, %s", fault, err, out)
		}
	}
}
