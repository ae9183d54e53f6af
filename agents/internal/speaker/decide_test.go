package speaker

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/health"
)

func TestHowAServiceStands(t *testing.T) {
	noon := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	up, unknown := health.State{Health: health.Up}, health.State{Health: health.Unknown}
	down := health.State{Health: health.Down, Message: "connection refused", Since: noon.Add(-time.Minute)}
	for _, c := range []struct {
		name  string
		seen  seen
		stand Stand
		why   string
	}{
		{"it works", seen{states: []health.State{up}}, Offered, ""},
		{"one of its ports works", seen{states: []health.State{down, up}}, Offered, ""},
		{"nobody knows yet", seen{states: []health.State{unknown}}, Withdrawn, "Not announced: no probe has been answered yet."},
		{"it fails", seen{states: []health.State{unknown, down}}, Withdrawn, "Not announced: the probe has been failing since 11:59:00 UTC (connection refused)."},
		{"it begins to leave, and nobody is there", seen{states: []health.State{up}, leaving: noon, counted: noon}, Draining, "It leaves: routers prefer any other replica, and 0 connections are left."},
		{"it leaves, with connections", seen{states: []health.State{up}, leaving: noon.Add(-5 * time.Second), live: 3, counted: noon}, Draining, "It leaves: routers prefer any other replica, and 3 connections are left."},
		{"it leaves, and nobody counts", seen{states: []health.State{up}, leaving: noon.Add(-5 * time.Second)}, Draining, "It leaves: routers prefer any other replica."},
		{"nobody was there before it began to", seen{states: []health.State{up}, leaving: noon.Add(-5 * time.Second), counted: noon.Add(-6 * time.Second)}, Draining, "It leaves: routers prefer any other replica, and 0 connections are left."},
		{"all have gone", seen{states: []health.State{up}, leaving: noon.Add(-time.Second), counted: noon}, Withdrawn, "It leaves, and nobody is connected any more."},
		{"it has waited long enough", seen{states: []health.State{up}, leaving: noon.Add(-10 * time.Second), live: 3, counted: noon}, Withdrawn, "It leaves, and had 10s for connections to end."},
		{"it leaves and fails", seen{states: []health.State{down}, leaving: noon, live: 3, counted: noon}, Withdrawn, "It leaves, and the probe has been failing since 11:59:00 UTC (connection refused)."},
	} {
		c.seen.now = noon
		if stand, why := decide(c.seen, 10*time.Second); stand != c.stand || why != c.why {
			t.Errorf("%s: %s, %q; want %s, %q", c.name, stand, why, c.stand, c.why)
		}
	}
}
