package load

import (
	"context"
	"fmt"
	"time"
)

// patience is how long an interrupted run waits for replies.
const patience = time.Second

// generator is one run.
type generator struct {
	Options
	start   time.Time
	closing context.Context // ends all open exchanges
	ends    *ends
	crowd   *crowd
	record  *record
}

// Run sends requests until the time is over or the context ends, waits for their replies, and returns what was
// measured. The report is empty only if nothing could be measured; an error to write the returns has a report.
func Run(ctx context.Context, o Options) (Report, error) {
	if err := o.Check(); err != nil {
		return Report{}, err
	}
	closing, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	timer, err := newTimer(ctx)
	if err != nil {
		return Report{}, err
	}
	defer timer.close()
	g := &generator{Options: o, closing: closing, ends: newEnds(o), record: newRecord(o.Warmup, o.Warmup+o.For, o.Returns)}
	users := make([]*user, o.Users)
	for i := range users {
		users[i] = &user{number: i + 1, session: o.TLS.newSession(o.URL), cookies: newCookies()}
	}
	g.crowd = newCrowd(users, o.Think, g.now, func(u *user, due time.Duration) { go g.serve(u, due) })
	g.start = time.Now()
	g.pace(ctx, timer)
	stopped := min(g.now(), o.Warmup+o.For)
	g.record.end(stopped)
	g.finish(ctx, end)
	report := g.report(max(0, stopped-o.Warmup).Seconds(), ctx.Err() != nil)
	if err := g.record.writeError; err != nil {
		return report, fmt.Errorf("write the returns: %w", err)
	}
	return report, nil
}

func (g *generator) now() time.Duration { return time.Since(g.start) }

// pace makes requests arrive when they are due.
func (g *generator) pace(ctx context.Context, timer *timer) {
	schedule := newSchedule(g.Arrivals, g.Rate, g.Seed)
	for due := schedule.next(); due < g.Warmup+g.For; due = schedule.next() {
		timer.sleep(due - g.now())
		if ctx.Err() != nil {
			return
		}
		g.record.addArrival(due, g.now())
		g.crowd.arrive(due)
	}
	timer.sleep(g.Warmup + g.For - g.now())
}

// serve sends a user's request, and then those that wait for a user.
func (g *generator) serve(u *user, due time.Duration) {
	for more := true; more; due, more = g.crowd.release(u, due) {
		g.request(u, due)
	}
}

// finish waits for the replies, for as long as one request may take, or shortly when the context ends, and then
// ends what is left.
func (g *generator) finish(ctx context.Context, end func()) {
	idle, timeout := g.crowd.drain(), time.After(g.Timeout)
	select {
	case <-idle:
	case <-timeout:
	case <-ctx.Done():
		select {
		case <-idle:
		case <-timeout:
		case <-time.After(patience):
		}
	}
	g.record.addUnsent(g.crowd.abandon(), g.now()) // none if all were served
	end()
	<-idle
	for _, u := range g.crowd.free { // all are free
		u.close()
	}
}
