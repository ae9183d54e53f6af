package speaker

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/health"
)

func TestAnnouncementStates(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	up, unknown := health.State{Health: health.Up}, health.State{Health: health.Unknown}
	down := health.State{Health: health.Down, Message: "connection refused", Since: noon.Add(-time.Minute)}
	for _, c := range []struct {
		name  string
		seen  observations
		state State
		why   string
	}{
		{"up", observations{states: []health.State{up}}, Offered, ""},
		{"one port is up", observations{states: []health.State{down, up}}, Offered, ""},
		{"not probed yet", observations{states: []health.State{unknown}}, Withdrawn, "Not announced: no probe has succeeded yet."},
		{"down", observations{states: []health.State{unknown, down}}, Withdrawn, "Not announced: the probe has been failing since 11:59:00 UTC (connection refused)."},
		{"starts to leave without connections", observations{states: []health.State{up}, leaving: noon, counted: noon}, Draining, "Leaving: routers prefer any other replica; 0 connections are left."},
		{"leaves with connections", observations{states: []health.State{up}, leaving: noon.Add(-5 * time.Second), live: 3, counted: noon}, Draining, "Leaving: routers prefer any other replica; 3 connections are left."},
		{"leaves without a count", observations{states: []health.State{up}, leaving: noon.Add(-5 * time.Second)}, Draining, "Leaving: routers prefer any other replica."},
		{"counted before it started to leave", observations{states: []health.State{up}, leaving: noon.Add(-5 * time.Second), counted: noon.Add(-6 * time.Second)}, Draining, "Leaving: routers prefer any other replica; 0 connections are left."},
		{"all connections ended", observations{states: []health.State{up}, leaving: noon.Add(-time.Second), counted: noon}, Withdrawn, "Leaving: all connections have ended."},
		{"drain time over", observations{states: []health.State{up}, leaving: noon.Add(-10 * time.Second), live: 3, counted: noon}, Withdrawn, "Leaving: the drain time of 10s is over."},
		{"leaves and is down", observations{states: []health.State{down}, leaving: noon, live: 3, counted: noon}, Withdrawn, "Leaving: the probe has been failing since 11:59:00 UTC (connection refused)."},
	} {
		c.seen.now = noon
		if state, why := decide(c.seen, 10*time.Second); state != c.state || why != c.why {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, state, why, c.state, c.why)
		}
	}
}
