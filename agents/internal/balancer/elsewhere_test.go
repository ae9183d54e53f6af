package balancer

import (
	"testing"
	"testing/synctest"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Its share of new connections would fail here; the replicas of the other cluster have the address.
func TestABackendOfAnotherClusterDoesNotMakeAReplicaReady(t *testing.T) {
	for _, test := range []struct {
		name    string
		broken  []string
		listed  int
		message string
	}{
		{"its own are up", nil, 1, ""},
		{"its own are down", []string{"10.0.0.1", "10.0.0.2"}, 0, "None of its 2 backends is up."},
		{"the other one is down", []string{"10.9.0.1"}, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, t.TempDir(), "tcx")
				defer b.Close()
				for _, address := range test.broken {
					b.broken[address] = true
				}
				spread := config(1, service(func(s *agentv1.BalancerService) {
					s.Backends = append(s.Backends, &agentv1.BalancerBackend{
						Id: "z", Address: "10.9.0.1", Port: 80, Weight: 1, State: "draining", Elsewhere: true,
					})
				}))
				mustSet(t, b, spread)
				time.Sleep(5 * time.Second)
				observed, err := b.Observe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				got := observed.Status.GetServices()[0]
				if len(got.GetBackends()) != 2 || got.GetMessage() != test.message {
					t.Errorf("reported: %v", got)
				}
				mustSet(t, b, spread) // takes over the results of health checks
				if addresses, _ := b.readinessNow().listed(); len(addresses) != test.listed {
					t.Errorf("lists %v", addresses)
				}
			})
		})
	}
}
