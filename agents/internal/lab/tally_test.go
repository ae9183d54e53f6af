package lab

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/lab/app"
)

func TestATallyReportsBrokenConnectionsAndRequestRates(t *testing.T) {
	start := time.UnixMilli(1_000_000)
	saw := func(client string, requests, broken uint64) TrafficStatus {
		return TrafficStatus{client, "web", app.ServiceCounts{Requests: requests, Broken: broken}}
	}
	var counted tally
	for _, step := range []struct {
		name    string
		after   time.Duration
		traffic []TrafficStatus
		want    []string
	}{
		{"first, without a rate", 0, []TrafficStatus{saw("c-1", 100, 0), saw("c-2", 50, 3)}, []string{"c-1 connectionsBroken 0", "c-2 connectionsBroken 3"}},
		{"each client by itself", 2 * time.Second, []TrafficStatus{saw("c-1", 180, 1), saw("c-2", 50, 3)}, []string{"c-1 connectionsBroken 1", "c-1 requestsPerSecond 40", "c-2 connectionsBroken 3", "c-2 requestsPerSecond 0"}},
		{"one that restarted", 3 * time.Second, []TrafficStatus{saw("c-1", 5, 0), saw("c-2", 60, 3)}, []string{"c-1 connectionsBroken 0", "c-2 connectionsBroken 3", "c-2 requestsPerSecond 10"}},
		{"one that is silent", 4 * time.Second, []TrafficStatus{saw("c-1", 15, 0)}, []string{"c-1 connectionsBroken 0", "c-1 requestsPerSecond 10"}},
		{"and replies again", 5 * time.Second, []TrafficStatus{saw("c-2", 90, 4)}, []string{"c-2 connectionsBroken 4"}},
		{"no client", 6 * time.Second, nil, nil},
	} {
		now := start.Add(step.after)
		var got []string
		for _, series := range counted.series(step.traffic, now) {
			if len(series.GetAtMs()) != 1 || series.GetAtMs()[0] != now.UnixMilli() || series.GetLabels()["service"] != "web" {
				t.Errorf("%s: %v", step.name, series)
			}
			got = append(got, fmt.Sprintf("%s %s %g", series.GetLabels()["client"], series.GetMetric(), series.GetValues()[0]))
		}
		if !slices.Equal(got, step.want) {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
}
