package balancer

import (
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/protobuf/proto"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/flows"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Its peers may have a newer config: with old tables it would misplace their connections.
func TestAReplicaThatIsBehindWaitsForTheNewestConfigForALimitedTime(t *testing.T) {
	for _, test := range []struct {
		name      string
		connected bool
		after     time.Duration
	}{
		{"the source is connected", true, 0},
		{"the source is away", false, waitForNewest},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, t.TempDir(), "tcx")
				defer b.Close()
				b.isBehind(true)
				mustSet(t, b, config(1))
				if ready, sentence := b.ready.Load().now(); ready {
					t.Fatalf("ready on a config that may be old: %s", sentence)
				}
				if test.connected {
					b.isBehind(false)
				}
				time.Sleep(test.after)
				if ready, sentence := b.ready.Load().now(); !ready {
					t.Fatalf("not ready: %s", sentence)
				}
			})
		})
	}
}

// The peers in an old config may be gone, and the current ones are waited for.
func TestAReplicaThatIsBehindWaitsForTheNewestConfigsPeers(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and sends nothing
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	b.options.Flows = flows.Options{Listen: flows.At("127.0.0.1:0"), Log: slog.New(slog.DiscardHandler)}
	b.options.Candidates[0].Open = func(datapath.Options) (datapath.Engine, error) {
		return keeperEngine{&fakeEngine{news: make(chan datapath.Flow)}}, nil
	}
	b.isBehind(true)
	mustSet(t, b, config(1))
	mustSet(t, b, config(2, func(r *agentv1.BalancerRole) {
		r.Peers = []*agentv1.BalancerPeer{{AgentId: "new", Address: silent.Addr().String()}}
	}))
	b.isBehind(false)
	if ready, sentence := b.ready.Load().now(); ready {
		t.Fatalf("ready before its newest peer has sent its flows: %s", sentence)
	}
	until(t, "end of waiting", func() bool { ready, _ := b.ready.Load().now(); return ready })
}

// Each withdrawal and return moves connections of all clients.
func TestAReplicaThatWasReadyStaysReadyWithoutTheNewestFlows(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	b.options.Flows = flows.Options{Listen: flows.At("127.0.0.1:0"), Log: slog.New(slog.DiscardHandler)}
	b.options.Candidates[0].Open = func(datapath.Options) (datapath.Engine, error) {
		return keeperEngine{&fakeEngine{news: make(chan datapath.Flow)}}, nil
	}
	withPeer := func(r *agentv1.BalancerRole) {
		r.Peers = []*agentv1.BalancerPeer{{AgentId: "new", Address: silent.Addr().String()}}
	}
	b.isBehind(true)
	mustSet(t, b, config(1, withPeer))
	until(t, "end of waiting", func() bool { ready, _ := b.ready.Load().now(); return ready })
	b.isBehind(false) // its config source was slow
	mustSet(t, b, config(2, withPeer, service(func(s *agentv1.BalancerService) { s.Backends[0].Weight = 3 })))
	if ready, sentence := b.ready.Load().now(); !ready {
		t.Errorf("not ready any more: %s", sentence)
	}
}

// A config that a crash truncated may have a service without its backends; other replicas
// have them.
func TestOnlyAddressesWithABackendThatIsUpAreListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		expect := func(when, want string) {
			t.Helper()
			if got := pageOfAddresses(b); got != want {
				t.Errorf("%s: addresses for routers are %q, want %q", when, got, want)
			}
		}
		empty := func(r *agentv1.BalancerRole) {
			r.Services = append(r.Services, &agentv1.BalancerService{LoadBalancerId: "lb_2", Address: "192.0.2.200", Port: 80, Protocol: "tcp"})
		}
		mustSet(t, b, config(1, at("192.0.2.1"), empty))
		expect("one service has no backends", "192.0.2.1")
		mustSet(t, b, config(2, at("192.0.2.1"), service(func(s *agentv1.BalancerService) { s.Backends = nil })))
		expect("there are no backends at all", "")
		in := func(states ...string) func(*agentv1.BalancerRole) {
			return service(func(s *agentv1.BalancerService) {
				s.HealthCheck = nil
				for i, state := range states {
					s.Backends[i].State = state
				}
			})
		}
		mustSet(t, b, config(3, at("192.0.2.1"), in("inactive", "draining")))
		expect("one backend has old connections", "192.0.2.1")
		mustSet(t, b, config(4, at("192.0.2.1"), in("inactive", "inactive")))
		expect("none has any", "")

		b.broken["10.0.0.1"], b.broken["10.0.0.2"] = true, true
		checked := service(func(s *agentv1.BalancerService) { s.Address = "192.0.2.1" })
		unchecked := func(r *agentv1.BalancerRole) {
			other := proto.CloneOf(r.Services[0])
			other.LoadBalancerId, other.Address, other.HealthCheck = "lb_2", "192.0.2.200", nil
			r.Services = append(r.Services, other)
		}
		mustSet(t, b, config(5, checked, unchecked))
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if _, err := b.Woken(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect("all backends of one service are down", "192.0.2.200")
	})
}
