package churn

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab/topologies"
	"fairlead.dev/agents/internal/lab/topology"
)

func scenario(t *testing.T, name string) Scenario {
	t.Helper()
	text, _ := topologies.Find(name)
	parsed, err := topology.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return Scenario{Topology: parsed, Text: string(text), Span: time.Minute, Warmup: 5 * time.Second, Backends: 8, Replicas: 1}
}

func TestReplicasChangeWithinEachWaveOfBackends(t *testing.T) {
	s := scenario(t, "churn")
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	most, mostReplicas := 0, 0
	changes := s.changes()
	var counts []string
	for _, change := range changes {
		most, mostReplicas = max(most, len(change.Backends)), max(mostReplicas, len(change.Replicas))
		counts = append(counts, fmt.Sprintf("%d/%d", len(change.Backends), len(change.Replicas)))
	}
	got := strings.Join(counts, " ")
	if want := "22/3 23/3 24/3 25/3 26/3 26/4 27/4 28/4 29/4 30/4 29/4 28/4 27/4 26/4 26/3 25/3 24/3 23/3 22/3 22/4"; !sameWave(got, want) {
		t.Errorf("backends/replicas %s, want %s", got, want)
	}
	if middle := changes[9]; !slices.Contains(middle.Backends, "app-30") || !slices.Contains(middle.Replicas, "lb-4") {
		t.Errorf("in the middle %+v", middle)
	}
	if last := changes[len(changes)-1]; len(last.Backends) != 22 || len(last.Replicas) != 4 || slices.Contains(last.Replicas, "lb-1") || last.At >= s.Warmup+s.Span || slices.Contains(last.Backends, "app-8") || !slices.Contains(last.Backends, "app-9") {
		t.Errorf("at last %+v", last)
	}
}

// sameWave ignores at which backend exactly a replica changes.
func sameWave(got, want string) bool {
	a, b := strings.Fields(got), strings.Fields(want)
	return len(a) == len(b) && a[0] == b[0] && a[len(a)-1] == b[len(b)-1] && strings.Contains(got, "30/4") && !strings.Contains(got, "30/3")
}

func TestSomeConnectionsAreIdleWhileAReplicaIsReplaced(t *testing.T) {
	s := scenario(t, "churn")
	if apart := time.Duration(float64(s.Span) * (replicaReturns - replicaGoes)); s.silence() < apart {
		t.Errorf("silent for %v at most, and a replica returns %v after another went", s.silence(), apart)
	}
	if !slices.ContainsFunc(s.Topology.Clients, func(c topology.Client) bool { return c.Ports > 0 }) {
		t.Error("no client has few ports")
	}
	quick := scenario(t, "churnsmall")
	quick.Span, quick.Backends = 20*time.Second, 3
	if err := quick.Check(); err != nil || quick.longest() > 5*time.Second {
		t.Errorf("%v; connections of the short form live for %v", err, quick.longest())
	}
}

func TestTheFullScenarioOpensAHundredThousandConnections(t *testing.T) {
	s := scenario(t, "churn")
	rate := 0.0
	for _, traffic := range s.traffic() {
		rate += traffic.PerSecond / float64(traffic.RequestsPerConnection)
	}
	if connections := rate * s.Span.Seconds(); connections < 105_000 {
		t.Errorf("%.0f connections in %v", connections, s.Span)
	}
}

func TestScenariosThatWouldBreakConnectionsByThemselvesAreRefused(t *testing.T) {
	for _, test := range []struct {
		name, want string
		change     func(*Scenario)
	}{
		{"all pods go", "some of the 22 pods have to stay", func(s *Scenario) { s.Backends = 22 }},
		{"all balancers go", "some of the 3 balancers have to stay", func(s *Scenario) { s.Replicas = 3 }},
		{"no time", "--for is 0s", func(s *Scenario) { s.Span = 0 }},
		{"connections that live too long", "let it drain longer", func(s *Scenario) { s.Topology.Services[0].Drain = time.Second }},
		{"connections idle for too long", "let it fill longer", func(s *Scenario) { s.Topology.Services[0].Fill = time.Second }},
		{"for ever", "set requestsPerConnection", func(s *Scenario) { s.Topology.Clients[0].Traffic[0].RequestsPerConnection = 0 }},
		{"another protocol", "one service that serves tcp", func(s *Scenario) { s.Topology.Services[0].Serve = topology.UDP }},
	} {
		s := scenario(t, "churn")
		test.change(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
