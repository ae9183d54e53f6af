package balancer

import (
	"net/netip"
	"sync"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// An agent is killed and its data path keeps running until the router notices. A
// connection that no table would place here must not start here meanwhile: its client
// retries, and reaches the healthy replica.
func TestADataPathWithoutAgentStartsNoConnectionThatOtherReplicasMisplace(t *testing.T) {
	if runAsReplicaIfRequested(t) {
		return
	}
	network := datapathtest.NewNetwork(t, false)
	key := datapath.Key{Address: netip.MustParseAddr("192.0.2.1"), Port: datapathtest.ServicePorts[0], Protocol: datapath.TCP}
	first, second := addressIn(t, network.Balancers[0]), addressIn(t, network.Balancers[1])
	role := func(peer, address string) *agentv1.BalancerRole {
		r := fillingRole(network, key)
		r.Peers = []*agentv1.BalancerPeer{{AgentId: peer, Address: address}}
		return r
	}
	var replicas sync.WaitGroup
	process := startReplica(t, network.Balancers[0], role("second", second))
	startReplica(t, network.Balancers[1], role("first", first))
	// The second is ready only when the first is subscribed; from then on, first packets
	// are held.
	until(t, "replica that lets first packets wait", func() bool { return waitUntilOf(t, network.Balancers[0].Name) > 0 })

	_ = process.Process.Kill()
	_ = process.Wait()
	began := make(chan *datapathtest.Conn, 60)
	client := datapathtest.Client{Space: network.Client}
	for range cap(began) {
		replicas.Go(func() {
			if conn, err := client.Connect(key); err != nil {
				t.Errorf("a client tried in vain: %v", err)
			} else {
				began <- conn
			}
		})
	}
	waitUntilMost(began)
	network.RouteTo(t, 1) // the router has failed over
	replicas.Wait()
	close(began)
	by := map[string]int{}
	for conn := range began {
		defer conn.Close()
		answer, err := conn.Request()
		if err != nil {
			t.Errorf("broken: %v", err)
		}
		by[answer.Backend]++
	}
	if by["c"] == 0 {
		t.Errorf("answers of %v: none of the backend that is filling", by)
	}
}

// waitUntilOf reads the deadline that a replica's agent has set in its program.
func waitUntilOf(t *testing.T, replica string) (until uint64) {
	t.Helper()
	m := pinnedMap(t, replica, "wait_until")
	defer m.Close()
	if err := m.Lookup(uint32(0), &until); err != nil {
		t.Fatal(err)
	}
	return until
}

// waitUntilMost waits until no more connections arrive for a moment.
func waitUntilMost(began <-chan *datapathtest.Conn) {
	for before, quiet := -1, time.Now(); time.Since(quiet) < 300*time.Millisecond; time.Sleep(10 * time.Millisecond) {
		if len(began) != before {
			before, quiet = len(began), time.Now()
		}
	}
}
