package adaptive

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestCountsReturnTo0(t *testing.T) {
	nodes := newLab(t, 2)
	first := nodes[0]
	first.visitUntil("many are served by both", shop, many, func(v visits) bool { return v.Failed == 0 && len(v.Served) == 2 })
	first.wantOpen("after many connections", 0)

	kill := first.background(client{Service: shop, AtOnce: 12, For: time.Minute})
	first.wait("connections are open", func(status *agentv1.AdaptiveStatus) bool { return openIn(status) > 3 })
	kill()
	first.wantOpen("after the application was killed", 0)

	_, ask := first.startReporting(first.cgroup, holderPart, shop)
	killHolder, _ := first.startReporting(first.cgroup, holderPart, shop)
	first.wantOpen("two are held", 2)
	first.stop()
	first.startAgent(nodes)
	first.wantOpen("the next agent", 2)
	if got := ask(""); !strings.Contains(got, "i/o timeout") {
		t.Errorf("a connection across a restart of the agent: %s", got)
	}
	first.stop()
	killHolder()
	first.startAgent(nodes)
	first.wantOpen("after the last one ended without an agent", 0)
	for _, n := range nodes {
		if status := n.status(); status.GetCorrected() != 0 {
			t.Errorf("%s corrected %d counts", n.id, status.GetCorrected())
		}
	}
}

func openIn(status *agentv1.AdaptiveStatus) (open uint64) {
	for _, service := range status.GetServices() {
		for _, node := range service.GetNodes() {
			open += node.GetOpen()
		}
	}
	return open
}

func (n *labNode) wantOpen(when string, open uint64) {
	n.Helper()
	n.wait(when, func(status *agentv1.AdaptiveStatus) bool {
		waiting := 0.0
		for _, service := range status.GetServices() {
			for _, node := range service.GetNodes() {
				waiting += node.GetInFlight()
			}
		}
		return openIn(status) == open && waiting == 0 && len(status.GetServices()) > 0
	})
}

// background runs clients until kill kills them.
func (n *labNode) background(as client) (kill func()) {
	n.Helper()
	command := n.command(n.cgroup, clientPart, as)
	must(n, n.space.Start(command))
	isDead := false
	kill = func() {
		if !isDead {
			isDead = true
			_, _ = command.Process.Kill(), command.Wait()
		}
	}
	n.Cleanup(kill)
	return kill
}

func TestFaultsOfTheRoleHaveEvents(t *testing.T) {
	nodes := newLab(t, 2)
	first := nodes[0]
	want := func(reason string) {
		t.Helper()
		for end := time.Now().Add(patience); !slices.Contains(strings.Fields(first.ask(eventsRequest)), reason); time.Sleep(100 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("no event %s: %s", reason, first.ask(eventsRequest))
			}
		}
	}
	want(NodeCoresChanged)
	kill := first.background(client{Service: shop, AtOnce: 24, For: time.Minute})
	want(ServiceOverloaded)
	kill()
	want(ServiceRelieved)
}

// A service without a backend at this node is served by the others.
func TestAServiceWithoutALocalBackendIsServed(t *testing.T) {
	nodes := newLab(t, 3)
	first := nodes[0]
	first.stop()
	config := configOf(first, nodes)
	service := config.GetAdaptive().GetServices()[0]
	service.Backends = slices.DeleteFunc(service.Backends, func(b *agentv1.AdaptiveBackend) bool {
		return netip.MustParseAddr(b.GetAddress()) == first.at
	})
	first.runAgent(config)
	first.visitUntil("the others serve", shop, many, func(v visits) bool {
		return v.Failed == 0 && v.share("n2") > 0.3 && v.share("n3") > 0.3
	})
	if events := first.ask(eventsRequest); !strings.Contains(events, ServiceElsewhere) {
		t.Errorf("events %s", events)
	}
}
