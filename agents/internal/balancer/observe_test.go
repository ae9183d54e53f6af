package balancer

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/agent"
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/exposition/expositiontest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

func TestStatusReportsWhenLiveConnectionsWereCounted(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	mustSet(t, b, config(1))
	at := time.Now().Add(-time.Minute)
	for _, counted := range []time.Time{{}, at} {
		b.engines["tcx"].liveAt = counted
		observed, err := b.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := observed.Status.GetLiveCountedAt()
		if known := got != nil; known == counted.IsZero() || known && got.AsTime().Sub(at).Abs() > time.Second {
			t.Errorf("counted at %v, reported is %v", counted, got)
		}
	}
}

func TestStatusReportsWhatIsReadyAndWhyNot(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*agentv1.BalancerRole)
		broken []string
		want   string // message; "" if ready
	}{
		{"all is well", func(*agentv1.BalancerRole) {}, nil, ""},
		{"one of two is down", func(*agentv1.BalancerRole) {}, []string{"10.0.0.1"}, ""},
		{"all are down", func(*agentv1.BalancerRole) {}, []string{"10.0.0.1", "10.0.0.2"}, "None of its 2 backends is up."},
		{"no backends", service(func(s *agentv1.BalancerService) { s.Backends = nil }), nil, "It has no backends."},
		{"all drain", service(func(s *agentv1.BalancerService) { s.Backends[0].State, s.Backends[1].State = "draining", "draining" }), nil,
			"None of its 2 backends takes new connections: those that are up are draining or inactive."},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, t.TempDir(), "tcx")
				defer b.Close()
				for _, address := range test.broken {
					b.broken[address] = true
				}
				mustSet(t, b, config(1, test.change))
				time.Sleep(5 * time.Second)
				observed, err := b.Observe(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				got := observed.Status.GetServices()[0]
				if got.GetMessage() != test.want || got.GetReady() != (test.want == "") || got.GetLoadBalancerId() != "lb_1" {
					t.Fatalf("got %v", got)
				}
				for _, backend := range got.GetBackends() {
					down := slices.Contains(test.broken, map[string]string{"a": "10.0.0.1", "b": "10.0.0.2"}[backend.GetId()])
					if down && (backend.GetHealth() != "down" || backend.GetMessage() != "refused the connection") || !down && backend.GetHealth() != "up" {
						t.Errorf("backend %v", backend)
					}
				}
			})
		})
	}
}

func TestSeriesAreWhatHappenedSinceTheLastReport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		mustSet(t, b, config(1))
		key := desired(t, config(1)).Services[0].Wanted.Key
		var setup datapath.Histogram
		count := func(packets, connections uint64) {
			counts := datapath.Counts{Packets: packets, Bytes: 100 * packets, Connections: connections, LiveConnections: 3, SetupNanoseconds: setup}
			b.engines["tcx"].counts = map[datapath.Key]datapath.ServiceCounts{
				key: {Counts: counts, Backends: []datapath.BackendCounts{{ID: "a", Counts: counts}}},
			}
		}
		points := func() map[string]float64 {
			observed, err := b.Observe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			all := map[string]float64{}
			for _, series := range observed.Series {
				all[series.GetMetric()+" "+series.GetLabels()["loadBalancer"]+" "+series.GetLabels()["backend"]] = series.GetValues()[0]
			}
			return all
		}
		count(1000, 10)
		if first := points(); len(first) != 3 || first["connectionsLive lb_1 a"] != 3 {
			t.Fatalf("before there is anything to compare with: %v", first)
		}
		for range 100 {
			setup.Add(1_000_000)
		}
		count(3000, 30)
		time.Sleep(10 * time.Second)
		second := points()
		for name, want := range map[string]float64{
			"throughputBps lb_1 ": 8 * 100 * 200, "packetsPerSecond lb_1 a": 200, "connectionsNewPerSecond lb_1 ": 2, "connectionsLive lb_1 ": 3,
			"throughputBps  ": 8 * 100 * 200, "connectionsLive  ": 3,
		} {
			if second[name] != want {
				t.Errorf("%s is %v, want %v", name, second[name], want)
			}
		}
		if p50 := second["latencyMsP50 lb_1 a"]; p50 < 0.5 || p50 > 1.1 {
			t.Errorf("median %v ms", p50)
		}
		count(100, 1) // the data path was created again
		time.Sleep(10 * time.Second)
		if third := points(); third["packetsPerSecond lb_1 "] != 10 {
			t.Errorf("after counts fell: %v", third)
		}
	})
}

func TestALimitOfChartsByBackendIsReported(t *testing.T) {
	for backends, warned := range map[int]bool{250: false, 251: true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, t.TempDir(), "tcx")
			defer b.Close()
			mustSet(t, b, config(1, service(func(s *agentv1.BalancerService) {
				s.Backends = nil
				for i := range backends {
					s.Backends = append(s.Backends, &agentv1.BalancerBackend{
						Id: fmt.Sprintf("%03d", i), Address: fmt.Sprintf("10.0.1.%d", i), Port: 80, Weight: 1, State: "active",
					})
				}
			})))
			observed, err := b.Observe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if is := slices.ContainsFunc(observed.Warnings, func(w string) bool { return strings.Contains(w, "charts by backend are limited to 250") }); is != warned {
				t.Errorf("%d backends: warned is %q", backends, observed.Warnings)
			}
		})
	}
}

func TestPages(t *testing.T) {
	b := newBench(t, t.TempDir(), "tcx")
	defer b.Close()
	overheard := &agent.ObservedLink{Link: deaf{}}
	role := NewRole(b.Driver)
	get := func(path string) (int, string) {
		w := httptest.NewRecorder()
		b.Pages(overheard)[path].ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w.Code, w.Body.String()
	}
	wants := func(path string, code int, words ...string) {
		t.Helper()
		gotCode, body := get(path)
		if gotCode != code {
			t.Errorf("%s: %d %s", path, gotCode, body)
		}
		for _, text := range words {
			if !strings.Contains(body, text) {
				t.Errorf("%s doesn't contain %q:\n%s", path, text, body)
			}
		}
	}
	wants("/readyz", 503, "No config has come yet.")
	wants("/status", 503, "Nothing was reported yet.")
	wants("/metrics", 200, "# HELP fairlead_replica_drops_per_second Replica total: what was dropped")
	if _, err := role.Desired(config(1, engineOf("warp"))); err == nil {
		t.Fatal("an unknown engine was accepted")
	}
	wants("/readyz", 503, "The config is refused", "warp")

	mustSet(t, b, config(2))
	wants("/readyz", 200, "All 1 services are carried by tcx.")
	report := &agentv1.ReportRequest{ObservedRevision: 2}
	for range 2 {
		observed, err := b.Observe(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		role.Fill(observed, report)
		overheard.Report(report)
	}
	wants("/status", 200, `"observedRevision":`, `"engine":`, `"lb_1"`)
	wants("/metrics", 200, "# TYPE fairlead_replica_connections_live gauge\nfairlead_replica_connections_live 0\n", `fairlead_load_balancer_connections_live{load_balancer="lb_1"} 0`)
	_, page := get("/metrics")
	expositiontest.Lint(t, page)
	mustSet(t, b, config(3, func(role *agentv1.BalancerRole) { role.Services = nil }))
	wants("/readyz", 503, "There is nothing to carry yet")
	if _, err := b.Set(t.Context(), Desired{Revision: 4}); err != nil {
		t.Fatal(err)
	}
	wants("/readyz", 503, "The role is off.")
}

func TestAReplicaWithoutAnyBackendUpIsNotReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, t.TempDir(), "tcx")
		defer b.Close()
		b.setBroken("10.0.0.1", true)
		mustSet(t, b, config(1, service(func(s *agentv1.BalancerService) { s.Backends = s.Backends[1:] })))
		wakeUntil(t, b, time.Second, func() bool { ready, _ := b.ready.Load().now(); return !ready })
		b.setBroken("10.0.0.1", false)
		wakeUntil(t, b, 5*time.Second, func() bool { ready, _ := b.ready.Load().now(); return ready })
	})
}

// deaf is a link that drops reports.
type deaf struct{ agent.Link }

func (deaf) Report(*agentv1.ReportRequest) {}
