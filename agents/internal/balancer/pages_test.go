package balancer

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/exposition"
	"fairlead.dev/agents/internal/exposition/expositiontest"
)

var update = flag.Bool("update", false, "rewrite the files in testdata")

// The control plane's tests read the same file: metrics here have the names of the
// control plane's own series, in Prometheus' spelling.
func TestMetricsHaveTheControlPlanesNames(t *testing.T) {
	key := datapath.Key{Port: 80, Protocol: datapath.TCP}
	services := []Service{{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: key}}}
	seen := func(times uint64) datapath.Observed {
		counts := datapath.Counts{Packets: 100 * times, Bytes: 50_000 * times, Connections: 10 * times, LiveConnections: 7}
		counts.ToClients = datapath.Answers{Bytes: 500_000 * times, Known: true}
		for range times {
			counts.SetupNanoseconds.Add(1_000_000)
			counts.FirstByteNanoseconds.Add(4_000_000)
		}
		return datapath.Observed{
			Services: []datapath.ServiceCounts{{Key: key, Counts: counts, Drops: map[string]uint64{"no_backend": 10 * times, "fragment": 0}, Backends: []datapath.BackendCounts{{ID: "be_1", Counts: counts}}}},
			Drops:    map[string]uint64{"malformed": 5 * times, "no_backend": 0},
		}
	}
	var f figures
	start := time.Unix(1_000, 0)
	f.points(services, seen(1), start)
	f.healthChanged("lb_1", "be_1")
	f.points(services, seen(3), start.Add(10*time.Second))
	var page strings.Builder
	if err := exposition.Write(&page, families(f.snapshot())); err != nil {
		t.Fatal(err)
	}

	expositiontest.Lint(t, page.String())

	golden := filepath.Join("testdata", "metrics.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if page.String() != string(want) {
		t.Errorf("the page is\n%s\nwant\n%s", page.String(), want)
	}
}

// Prometheus adds up all series of a name, so a name must not hold a total and its parts.
func TestTheSumOfAMetricIsTheTotalOfTheReplica(t *testing.T) {
	var all []figure
	for _, labels := range []map[string]string{
		nil, {"loadBalancer": "lb_1"}, {"loadBalancer": "lb_2"}, {"loadBalancer": "lb_1", "backend": "be_1"}, {"loadBalancer": "lb_2", "backend": "be_1"},
	} {
		value := 4.0
		if labels == nil {
			value = 8
		}
		all = append(all, figure{"connectionsLive", labels, value})
	}
	sums := map[string]float64{}
	for _, family := range families(all) {
		for _, sample := range family.Samples {
			sums[family.Name] += sample.Value
		}
	}
	want := map[string]float64{"fairlead_replica_connections_live": 8, "fairlead_load_balancer_connections_live": 8, "fairlead_backend_connections_live": 8}
	if !maps.Equal(sums, want) {
		t.Errorf("the sums are %v, want %v", sums, want)
	}
}
