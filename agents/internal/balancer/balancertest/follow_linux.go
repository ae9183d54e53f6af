package balancertest

import (
	"bufio"
	"fmt"
	"net"
	"net/netip"
	"os"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
	"fairlead.dev/agents/internal/racing"
)

const (
	checkPort  = 9000 // so that a backend that is down would still answer clients
	followMost = 100 * time.Millisecond
	patience   = 30 * time.Second
)

// Follows requires that a backend gets no connections 100 ms after a check found it down.
// Prepare sets up the network's hosts as the engine requires. The test binary starts
// itself with the name of this test, so nothing expensive or with side effects may run
// before.
//
// Only wall-clock time can measure this, because the test looks for waiting. The agent
// therefore runs at the highest priority, so that other programs hardly delay it: at load
// 80 on two processors most runs took 1 to 81 ms, the slowest 128 ms, and the margin is
// for load 8.
func Follows(t *testing.T, candidate datapath.Candidate, prepare func(*testing.T, *datapathtest.Network)) {
	if folder := os.Getenv(folderVariable); folder != "" {
		runAsAgent(t, candidate, folder)
		return
	}
	privileged.Need(t)
	network := datapathtest.NewNetwork(t, false)
	prepare(t, network)
	key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: datapathtest.ServicePorts[0], Protocol: datapath.TCP}
	service := &agentv1.BalancerService{
		LoadBalancerId: "lb_1", Address: key.Address.String(), Port: uint32(key.Port), Protocol: "tcp",
		HealthCheck: &agentv1.HealthCheck{Type: "tcp", Port: checkPort, IntervalMs: 200, Rise: 1, Fall: 1},
	}
	checked := map[string]net.Listener{}
	for _, host := range network.Backends {
		listener, err := host.Space.Listen(t.Context(), "tcp", fmt.Sprintf(":%d", checkPort))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		checked[host.Name] = listener
		service.Backends = append(service.Backends, &agentv1.BalancerBackend{
			Id: host.Name, Address: host.IPv4.String(), Port: uint32(key.Port), Weight: 1, State: "active",
		})
	}
	spans := spansOf(start(t, network.Balancers[0], &agentv1.BalancerRole{Engine: candidate.Name, Services: []*agentv1.BalancerService{service}}))
	const goes = "b"
	untilAnsweredBy(t, network.Client, key, goes)

	_ = checked[goes].Close()
	select {
	case took := <-spans:
		t.Logf("%s followed within %v", candidate.Name, took)
		if took > followMost*time.Duration(racing.Here()) {
			t.Errorf("%s followed only after %v", candidate.Name, took)
		}
	case <-time.After(patience):
		t.Fatal("the engine didn't follow")
	}
	for range 50 {
		if answer, err := (datapathtest.Client{Space: network.Client}).RequestOnce(key); err != nil || answer.Backend == goes {
			t.Fatalf("%q answers (%v)", answer.Backend, err)
		}
	}
}

func untilAnsweredBy(t *testing.T, client *netspace.Space, key datapath.Key, backend string) {
	t.Helper()
	var answer datapathtest.Answer
	var err error
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		if answer, err = (datapathtest.Client{Space: client}).RequestOnce(key); answer.Backend == backend {
			return
		}
	}
	t.Fatalf("no answer of %s within %v; the last was %q (%v)", backend, patience, answer.Backend, err)
}

// spansOf reads the durations that the agent prints.
func spansOf(printed *os.File) <-chan time.Duration {
	spans := make(chan time.Duration, 1)
	go func() {
		for lines := bufio.NewScanner(printed); lines.Scan(); {
			if took, err := time.ParseDuration(lines.Text()); err == nil {
				spans <- took
				return
			}
		}
	}()
	return spans
}
