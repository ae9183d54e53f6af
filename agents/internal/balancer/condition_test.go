package balancer

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
)

func TestABackendThatItsPacketsDoNotReachIsDownWithTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		time.Sleep(2 * time.Second)
		b.setLost("10.0.0.1", true)
		wakeUntil(t, b, 3*time.Second, func() bool { return !b.engines["tcx"].up("a") })
		if !b.engines["tcx"].up("b") {
			t.Error("b is down, too")
		}
		const reason = "answers at its own address, but isn't reached at the service address"
		if status := backendStatusOf(t, b, "a"); status.GetHealth() != "down" || status.GetMessage() != reason {
			t.Errorf("status %v", status)
		}
		events := b.news.Take()
		if last := events[len(events)-1]; last.GetReason() != BackendDown || !strings.Contains(last.GetMessage(), "is down: it "+reason) {
			t.Errorf("event %v", last)
		}
		b.setLost("10.0.0.1", false)
		wakeUntil(t, b, 3*time.Second, func() bool { return b.engines["tcx"].up("a") })
		if got := reasons(b); !slices.Equal(got, []string{BackendUp}) {
			t.Errorf("events %q", got)
		}
	})
}

func TestABackendThatDoesNotAnswerAtAllIsNotSaidToAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		time.Sleep(2 * time.Second)
		b.setBroken("10.0.0.1", true)
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if _, err := b.Woken(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := backendStatusOf(t, b, "a").GetMessage(); got != "refused the connection" {
			t.Errorf("message %q", got)
		}
	})
}

// An agent that is updated, and a changed delivery, find backends up that carry connections.
func TestABackendStaysUpUntilItsPathIsChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		for revision, delivery := range []datapath.Delivery{"", datapath.Tunnel, datapath.NAT, datapath.Direct} {
			mustSet(t, b, config(uint64(revision+1), service(func(s *agentv1.BalancerService) { s.Delivery = string(delivery) })))
			for range 300 {
				if _, err := b.Woken(t.Context()); err != nil {
					t.Fatal(err)
				}
				if e := b.engines["tcx"]; !e.up("a") || !e.up("b") {
					t.Fatalf("delivery %q: a %v, b %v", delivery, e.up("a"), e.up("b"))
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
	})
}

func TestANewBackendMustBeReachedByItsPathFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		time.Sleep(time.Second)
		b.setLost("10.0.0.3", true)
		mustSet(t, b, config(2, service(func(s *agentv1.BalancerService) {
			s.Backends = append(s.Backends, &agentv1.BalancerBackend{Id: "c", Address: "10.0.0.3", Port: 80, Weight: 1, State: "active"})
		})))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if _, err := b.Woken(t.Context()); err != nil {
			t.Fatal(err)
		}
		if b.engines["tcx"].up("c") {
			t.Fatal("it is up")
		}
		b.setLost("10.0.0.3", false)
		wakeUntil(t, b, 3*time.Second, func() bool { return b.engines["tcx"].up("c") })
	})
}

func TestOnlyDeliveriesThatKeepThePacketHavePaths(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*agentv1.BalancerService)
		want   datapath.Delivery // "" for no path
	}{
		{"direct by default", func(*agentv1.BalancerService) {}, datapath.Direct},
		{"tunnel", func(s *agentv1.BalancerService) { s.Delivery = "tunnel" }, datapath.Tunnel},
		{"NAT", func(s *agentv1.BalancerService) { s.Delivery = "nat" }, ""},
		{"another port, so NAT by default", func(s *agentv1.BalancerService) { s.Backends[0].Port, s.Backends[1].Port = 8080, 8080 }, ""},
		{"a check of another port", func(s *agentv1.BalancerService) { s.HealthCheck.Port = 8080 }, datapath.Direct},
		{"no check", func(s *agentv1.BalancerService) { s.HealthCheck = nil }, ""},
		{"UDP, checked by a connection", func(s *agentv1.BalancerService) { s.Protocol = "udp" }, datapath.Direct},
		{"UDP, checked by a datagram", func(s *agentv1.BalancerService) { s.Protocol = "udp"; datagram(s, 80) }, datapath.Direct},
		{"UDP, checked by a datagram to another port", func(s *agentv1.BalancerService) { s.Protocol = "udp"; datagram(s, 81) }, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, t.TempDir(), "tcx")
				defer b.Close()
				mustSet(t, b, config(1, service(c.change)))
				var want, got []health.Path
				if c.want != "" {
					path := health.Path{Service: b.desired.Services[0].Wanted.Key, Delivery: c.want}
					want = []health.Path{path, path}
				}
				for _, target := range b.targets(b.desired) {
					if target.Path != (health.Path{}) {
						got = append(got, target.Path)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("paths %v, want %v", got, want)
				}
			})
		})
	}
}

func datagram(s *agentv1.BalancerService, port uint32) {
	s.HealthCheck.Type, s.HealthCheck.Send, s.HealthCheck.Port = "udp", []byte("who"), port
}

func TestHealthOfTheOwnAddressAndThePathTogether(t *testing.T) {
	early, late := time.Unix(1, 0), time.Unix(2, 0)
	up := health.State{Health: health.Up, Since: early}
	unknown := health.State{Health: health.Unknown, Since: late}
	refused := health.State{Health: health.Down, Failing: true, Message: "refused the connection", Since: late}
	lost := health.State{Health: health.Down, Failing: true, Message: "isn't reached", Since: late}
	held := health.State{Health: health.Down, Message: "responds, but went down too often", Since: late}
	slips := health.State{Health: health.Up, Failing: true, Since: early}
	explained := lost
	explained.Message = "answers at its own address, but isn't reached"
	for _, c := range []struct {
		name            string
		own, path, want health.State
	}{
		{"both up", up, health.State{Health: health.Up, Since: late}, health.State{Health: health.Up, Since: late}},
		{"not watched yet", up, health.State{Health: health.Unknown}, up},
		{"not checked yet", up, unknown, unknown},
		{"own address not checked yet", unknown, up, unknown},
		{"only the path is down", up, lost, explained},
		{"the own address fails too", slips, lost, lost},
		{"the own address is unknown", unknown, lost, lost},
		{"held down", up, held, held},
		{"both down", refused, lost, refused},
		{"only the own address is down", refused, up, refused},
	} {
		if got := together(c.own, c.path); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestWhatProbesCanNotTestIsAWarning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		b.options.ProbeWarning = func() string { return "No packet socket." }
		mustSet(t, b, config(1))
		observed, err := b.Observe(t.Context())
		if err != nil || !slices.Contains(observed.Warnings, "No packet socket.") {
			t.Errorf("%q, %v", observed.Warnings, err)
		}
	})
}

func backendStatusOf(t *testing.T, b *bench, id string) *agentv1.BalancerBackendStatus {
	t.Helper()
	for _, status := range statusOf(t, b, 0).GetBackends() {
		if status.GetId() == id {
			return status
		}
	}
	t.Fatalf("no backend %s", id)
	return nil
}
