package balancer

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// spoil makes the first service of a config invalid.
func spoil(s *agentv1.BalancerService) { s.Backends[0].Port = 0 }

func TestAnInvalidServiceLeavesTheOthers(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	elsewhere := another(func(s *agentv1.BalancerService) { s.Address = "192.0.2.2" })
	nameless := another(func(s *agentv1.BalancerService) { s.LoadBalancerId, s.Protocol = "lb_3", "sctp" })
	mustSet(t, b, config(1, elsewhere, nameless, service(spoil)))
	if carried := b.engines["tcx"].services; len(carried) != 1 || carried[0].Key.Address.String() != "192.0.2.2" {
		t.Fatalf("carried are %v", carried)
	}
	for at, want := range []struct{ balancer, message string }{
		{"lb_1", `The data path doesn't carry it: backend "b": port 0 can't be connected to; give 1 to 65535.`},
		{"lb_2", ""},
		{"lb_3", `Its spec is invalid: protocol "sctp" isn't carried; give "tcp" or "udp".`},
	} {
		status := statusOf(t, b, at)
		if status.GetLoadBalancerId() != want.balancer || status.GetMessage() != want.message || status.GetReady() != (want.message == "") {
			t.Errorf("reported as %v, want %v", status, want)
		}
	}
	r := b.ready.Load()
	if ready, sentence := r.now(); !ready || len(r.addresses) != 1 || sentence != "1 of 3 services are carried by tcx; the others could not be set." {
		t.Errorf("ready %t for %v: %s", ready, r.addresses, sentence)
	}
	var balancers []string
	for _, event := range b.news.Take() {
		if event.GetReason() == EngineFailed {
			balancers = append(balancers, event.GetLoadBalancerId())
		}
	}
	slices.Sort(balancers)
	if want := []string{"lb_1", "lb_3"}; !slices.Equal(balancers, want) {
		t.Errorf("events about %q, want %q", balancers, want)
	}
	mustSet(t, b, config(2, elsewhere, nameless, service(spoil)))
	if again := b.news.Take(); len(again) > 0 {
		t.Errorf("events %v", again)
	}
}

func TestAServiceThatBecomesInvalidIsCarriedAsBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		b := newBench(t, folder, "tcx")
		mustSet(t, b, config(1))
		reasons(b)
		want := slices.Clone(b.engines["tcx"].services)
		for revision := range uint64(3) {
			mustSet(t, b, config(2+revision, service(spoil), another()))
			if carried := b.engines["tcx"].services; len(carried) != 2 || !carried[0].Equal(&want[0]) {
				t.Fatalf("carried are %v", carried)
			}
		}
		status := statusOf(t, b, 0)
		if !status.GetReady() || len(status.GetBackends()) > 0 || !strings.HasPrefix(status.GetMessage(), `It is carried as before, because its new spec could not be set: backend "b": port 0`) {
			t.Errorf("reported as %v", status)
		}

		// Its health checks continue.
		b.setBroken("10.0.0.1", true)
		wakeUntil(t, b, 10*time.Second, func() bool { return !b.engines["tcx"].up("a") })
		b.setBroken("10.0.0.1", false)
		wakeUntil(t, b, 10*time.Second, func() bool { return b.engines["tcx"].up("a") })
		b.Close()

		after := newBench(t, folder, "tcx")
		mustSet(t, after, config(4, service(spoil), another()))
		if carried := after.engines["tcx"].services; len(carried) != 2 || !carried[0].Equal(&want[0]) {
			t.Errorf("after a restart, carried are %v", carried)
		}
		mustSet(t, after, config(5, another()))
		if status := statusOf(t, after, 0); !status.GetReady() || status.GetMessage() != "" {
			t.Errorf("once it is valid, reported as %v", status)
		}
		after.Close()
	})
}

func TestAnInvalidPeerIsLeftOutWithAWarning(t *testing.T) {
	parsed := desired(t, config(1, func(r *agentv1.BalancerRole) {
		r.Peers = []*agentv1.BalancerPeer{{AgentId: "agent_2", Address: "peer"}, {AgentId: "agent_3", Address: "10.0.0.3:7444"}}
	}))
	if len(parsed.Peers) != 1 || parsed.Peers[0].AgentID != "agent_3" || len(parsed.Warnings) != 1 || !strings.HasPrefix(parsed.Warnings[0], `No flows are shared with the peer "agent_2"`) {
		t.Errorf("%+v", parsed)
	}
}
