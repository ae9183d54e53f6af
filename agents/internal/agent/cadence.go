package agent

import (
	"math/rand/v2"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	reportEveryDefault = 10 * time.Second
	reportEveryLeast   = time.Second
	reportEveryMost    = 5 * time.Minute
)

// cadence schedules reports. A change is reported at once, but with at most one report a second,
// however fast configs arrive.
type cadence struct {
	every time.Duration
	timer *time.Timer
	next  time.Time // when the timer fires
	last  time.Time // when the last report was created
}

// newCadence makes the first report due at once, so that a new node appears quickly.
func newCadence(now time.Time) *cadence {
	return &cadence{every: reportEveryDefault, timer: time.NewTimer(0), next: now}
}

func (c *cadence) due() <-chan time.Time { return c.timer.C }

func (c *cadence) stop() { c.timer.Stop() }

// done schedules the next report. Only the second one is at a random moment, so that agents that
// start together don't report together forever.
func (c *cadence) done(now time.Time) {
	next := c.next.Add(c.every)
	if c.last.IsZero() {
		next = now.Add(rand.N(c.every) + 1)
	}
	if next.Before(now) { // the process was suspended, or Observe was slow
		next = now.Add(c.every)
	}
	c.last = now
	c.plan(next, now)
}

// soon schedules a report early.
func (c *cadence) soon(now time.Time) {
	next := c.last.Add(reportEveryLeast)
	if next.Before(now) {
		next = now
	}
	if next.Before(c.next) {
		c.plan(next, now)
	}
}

// follow applies the interval of a config.
func (c *cadence) follow(config *agentv1.NodeConfig) {
	c.every = reportEveryDefault
	if interval := config.GetReportIntervalMs(); interval != 0 {
		c.every = min(max(time.Duration(interval)*time.Millisecond, reportEveryLeast), reportEveryMost)
	}
}

func (c *cadence) plan(next, now time.Time) {
	c.next = next
	c.timer.Reset(next.Sub(now))
}
