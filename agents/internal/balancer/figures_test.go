package balancer

import (
	"maps"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// look returns a metric for an engine's counts, seconds after the first call.
func (f *figures) look(services []Service, seen datapath.Observed, seconds int64, metric string) map[string]float64 {
	all := map[string]float64{}
	for _, series := range f.points(services, seen, time.Unix(1_000+seconds, 0)) {
		if labels := series.GetLabels(); series.GetMetric() == metric {
			all[labels["loadBalancer"]+" "+labels["backend"]+" "+labels["reason"]] = series.GetValues()[0]
		}
	}
	return all
}

func TestDropsAreThoseOfTheirBackendLoadBalancerAndReplica(t *testing.T) {
	web := datapath.Key{Port: 80, Protocol: datapath.TCP}
	tls := datapath.Key{Port: 443, Protocol: datapath.TCP}
	gone := datapath.Key{Port: 53, Protocol: datapath.UDP}
	services := []Service{
		{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: web}},
		{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: tls}},
		{LoadBalancer: "lb_2", Wanted: datapath.Service{Key: gone}},
	}
	dropped := func(key datapath.Key, noBackend uint64, onTheWay ...uint64) datapath.ServiceCounts {
		counts := datapath.ServiceCounts{Key: key, Drops: map[string]uint64{"no_backend": noBackend, "too_big": 0}}
		for i, n := range onTheWay {
			backend := datapath.BackendCounts{ID: string(rune('a' + i))}
			if n > 0 {
				backend.Drops = map[string]uint64{"unresolved": n}
			}
			counts.Backends = append(counts.Backends, backend)
		}
		return counts
	}
	var f figures
	f.look(services, datapath.Observed{
		Services: []datapath.ServiceCounts{dropped(web, 10, 70, 0, 0), dropped(tls, 0, 0, 0, 0), dropped(gone, 5_000)},
		Drops:    map[string]uint64{"malformed": 0, "no_backend": 1},
	}, 0, "")
	got := f.look(services, datapath.Observed{ // drops of a removed service don't count again
		Services: []datapath.ServiceCounts{dropped(web, 30, 90, 40, 0), dropped(tls, 10, 10, 0, 0)},
		Drops:    map[string]uint64{"malformed": 50, "no_backend": 11},
	}, 10, "dropsPerSecond")
	want := map[string]float64{
		"  malformed": 5, "  no_backend": 4, "  too_big": 0,
		"lb_1  no_backend": 3, "lb_1 a unresolved": 3, "lb_1 b unresolved": 4,
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestHealthChangesAreCountedForAsLongAsTheirBackendIsThere(t *testing.T) {
	key := datapath.Key{Port: 80, Protocol: datapath.TCP}
	services := []Service{{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: key}}}
	seen := func(ids ...string) datapath.Observed {
		counts := datapath.ServiceCounts{Key: key}
		for _, id := range ids {
			counts.Backends = append(counts.Backends, datapath.BackendCounts{ID: id})
		}
		return datapath.Observed{Services: []datapath.ServiceCounts{counts}}
	}
	var f figures
	f.look(services, seen("a", "b", "c"), 0, "")
	for _, backend := range []string{"a", "b", "a"} {
		f.healthChanged("lb_1", backend)
	}
	want := map[string]float64{"  ": 0.3, "lb_1  ": 0.3, "lb_1 a ": 0.2, "lb_1 b ": 0.1}
	if got := f.look(services, seen("a", "b", "c"), 10, "healthChangesPerSecond"); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	want = map[string]float64{"  ": 0, "lb_1  ": 0, "lb_1 b ": 0}
	if got := f.look(services, seen("b", "c"), 20, "healthChangesPerSecond"); !maps.Equal(got, want) || len(f.healthChanges) != 3 {
		t.Errorf("got %v, want %v, and no count of a (%v)", got, want, f.healthChanges)
	}
}

// A service that leaves lingers for a moment, and belongs to no load balancer any more.
func TestARemovedServiceChangesNoFiguresOfOthers(t *testing.T) {
	http := datapath.Key{Port: 80, Protocol: datapath.TCP}
	tls := datapath.Key{Port: 443, Protocol: datapath.TCP}
	gone := datapath.Key{Port: 53, Protocol: datapath.UDP}
	services := []Service{
		{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: http}},
		{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: tls}},
		{LoadBalancer: "lb_2", Wanted: datapath.Service{Key: gone}},
	}
	counted := func(key datapath.Key, packets uint64) datapath.ServiceCounts {
		return datapath.ServiceCounts{Key: key, Counts: datapath.Counts{Packets: packets}}
	}
	var f figures
	for _, step := range []struct {
		name     string
		wanted   int
		services []datapath.ServiceCounts
		want     map[string]float64
	}{
		{"at first", 3, []datapath.ServiceCounts{counted(http, 1_000), counted(tls, 1_000), counted(gone, 1_000)}, map[string]float64{}},
		{"all three", 3, []datapath.ServiceCounts{counted(http, 1_100), counted(tls, 1_100), counted(gone, 1_100)},
			map[string]float64{"  ": 30, "lb_1  ": 20, "lb_2  ": 10}},
		{"two linger", 1, []datapath.ServiceCounts{counted(http, 1_200), counted(tls, 1_150), counted(gone, 1_150)},
			map[string]float64{"  ": 20, "lb_1  ": 10}},
		{"two are gone", 1, []datapath.ServiceCounts{counted(http, 1_300)}, map[string]float64{"  ": 10, "lb_1  ": 10}},
		{"one comes back, and has counted since", 2, []datapath.ServiceCounts{counted(http, 1_400), counted(tls, 5_000)},
			map[string]float64{"  ": 10, "lb_1  ": 10}},
	} {
		f.last.at = time.Unix(1_000, 0)
		if got := f.look(services[:step.wanted], datapath.Observed{Services: step.services}, 10, "packetsPerSecond"); !maps.Equal(got, step.want) {
			t.Errorf("%s: got %v, want %v", step.name, got, step.want)
		}
	}
}

// Traffic to clients is 0 only where it is counted, and a restarted counter makes no
// jump.
func TestTrafficToClientsIsReportedWhereItIsCounted(t *testing.T) {
	http := datapath.Key{Port: 80, Protocol: datapath.TCP}
	tls := datapath.Key{Port: 443, Protocol: datapath.TCP}
	dns := datapath.Key{Port: 53, Protocol: datapath.UDP}
	services := []Service{
		{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: http}},
		{LoadBalancer: "lb_1", Wanted: datapath.Service{Key: tls}},
		{LoadBalancer: "lb_2", Wanted: datapath.Service{Key: dns}},
	}
	passed := func(bytes uint64) datapath.Answers { return datapath.Answers{Bytes: bytes, Known: true} }
	var unknown datapath.Answers
	var f figures
	for _, step := range []struct {
		name              string
		overHTTP, overTLS datapath.Answers
		overDNS           datapath.Answers
		want              map[string]float64
	}{
		{"at first", passed(9_000_000), passed(5_000_000), passed(0), map[string]float64{}},
		{"some pass, others don't", passed(9_001_000), passed(5_000_250), passed(0), map[string]float64{"  ": 1_000, "lb_1  ": 1_000, "lb_2  ": 0}},
		{"another engine counts from nothing", passed(500), passed(250), passed(125), map[string]float64{"  ": 700, "lb_1  ": 600, "lb_2  ": 100}},
		{"one is not counted", passed(2_500), unknown, passed(125), map[string]float64{"lb_2  ": 0}},
		{"it is known again, but not since when", passed(3_500), passed(7_000_000), passed(250), map[string]float64{"lb_2  ": 100}},
		{"and now it is", passed(4_500), passed(7_000_250), passed(250), map[string]float64{"  ": 1_000, "lb_1  ": 1_000, "lb_2  ": 0}},
	} {
		f.last.at = time.Unix(1_000, 0)
		seen := datapath.Observed{Services: []datapath.ServiceCounts{
			{Key: http, Counts: datapath.Counts{ToClients: step.overHTTP}}, {Key: tls, Counts: datapath.Counts{ToClients: step.overTLS}},
			{Key: dns, Counts: datapath.Counts{ToClients: step.overDNS}},
		}}
		if got := f.look(services, seen, 10, "toClientsBps"); !maps.Equal(got, step.want) {
			t.Errorf("%s: got %v, want %v", step.name, got, step.want)
		}
	}
}
