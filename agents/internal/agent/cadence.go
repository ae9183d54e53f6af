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

// cadence says when the next report is due. A change is reported at once, but
// never more than one report a second, however fast configs come.
type cadence struct {
	every time.Duration
	timer *time.Timer
	next  time.Time // when the timer fires
	last  time.Time // when the last report was made
}

// newCadence makes the first report due at once, so that a newcomer is seen.
func newCadence(now time.Time) *cadence {
	return &cadence{every: reportEveryDefault, timer: time.NewTimer(0), next: now}
}

func (c *cadence) due() <-chan time.Time { return c.timer.C }

func (c *cadence) stop() { c.timer.Stop() }

// done plans the next report. Only the second one falls at a random moment, so
// that agents started together don't report together for ever.
func (c *cadence) done(now time.Time) {
	next := c.next.Add(c.every)
	if c.last.IsZero() {
		next = now.Add(rand.N(c.every) + 1)
	}
	if next.Before(now) { // the process was stopped for a while, or Observe was slow
		next = now.Add(c.every)
	}
	c.last = now
	c.plan(next, now)
}

// soon brings the next report forward.
func (c *cadence) soon(now time.Time) {
	next := c.last.Add(reportEveryLeast)
	if next.Before(now) {
		next = now
	}
	if next.Before(c.next) {
		c.plan(next, now)
	}
}

// follow takes the interval from a config.
func (c *cadence) follow(config *agentv1.NodeConfig) {
	c.every = reportEveryDefault
	if asked := config.GetReportIntervalMs(); asked != 0 {
		c.every = min(max(time.Duration(asked)*time.Millisecond, reportEveryLeast), reportEveryMost)
	}
}

func (c *cadence) plan(next, now time.Time) {
	c.next = next
	c.timer.Reset(next.Sub(now))
}
