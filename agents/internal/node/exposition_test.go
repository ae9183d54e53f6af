package node

import (
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/exposition/expositiontest"
	"fairlead.dev/agents/internal/node/echo"
)

func TestRoundTripsHaveTheOtherNodeAsALabel(t *testing.T) {
	var p points
	p.add(appendRoundTrips(nil, []echo.RoundTrip{{Node: "nod_2", Time: 1500 * time.Microsecond}, {Node: "nod_3", Time: time.Millisecond}}), origin)
	taken := p.take()
	if len(taken) != 2 || taken[0].GetMetric() != "roundTripMs" || taken[0].GetLabels()["node"] != "nod_2" || taken[0].GetValues()[0] != 1.5 {
		t.Fatalf("reported: %v", taken)
	}
	got := families(p.snapshot())
	if len(got) != 1 || got[0].Name != "fairlead_round_trip_seconds" || got[0].Samples[1].Labels["node"] != "nod_3" || got[0].Samples[1].Value != 0.001 {
		t.Fatalf("on the page: %+v", got)
	}
}

func TestTheMetricsPageShowsEveryFigureThatIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &steadySource{connections: &Connections{Tracked: 5, Limit: 10}, stalls: true}
		driver := NewDriver(source, fixedFacts{}, nil)
		defer driver.Close()
		mustSet(t, driver, Sampling{On: true, Every: time.Second})
		time.Sleep(2 * time.Second)
		synctest.Wait()
		answer := httptest.NewRecorder()
		driver.Metrics().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
		page := answer.Body.String()
		for _, lines := range []string{
			"# TYPE fairlead_cpu_utilization_ratio gauge\nfairlead_cpu_utilization_ratio 0.25\n",
			"# TYPE fairlead_interface_receive_bytes_per_second gauge\nfairlead_interface_receive_bytes_per_second{interface=\"eth0\"} 1000\n" +
				"fairlead_interface_receive_bytes_per_second{interface=\"veth12\"} 1000\n",
			"fairlead_cpu_pressure_ratio 0.1\n", "fairlead_io_pressure_full_ratio 0\n",
			"fairlead_tracked_connections_limit 10\n",
		} {
			if !strings.Contains(page, lines) {
				t.Errorf("missing %q in:\n%s", lines, page)
			}
		}
		samples := 0
		for line := range strings.Lines(page) {
			if !strings.HasPrefix(line, "#") {
				samples++
			}
		}
		if reported := len(driver.points.snapshot()); samples != reported {
			t.Errorf("%d figures are reported, and %d are on the page:\n%s", reported, samples, page)
		}
		expositiontest.Lint(t, page)
	})
}
