package router

import "time"

// trust decides how much of the engine's table is applied. The table of an engine that has just
// started, or lost its last peer, is empty for reasons unrelated to balancers.
type trust struct {
	keeps   time.Duration // how long routes are kept without a peer
	settles time.Duration // how long after the first peer is back the other routes may arrive
	up      bool          // a peer with routes is connected
	since   time.Time     // of up
}

func newTrust(keeps, settles time.Duration, now time.Time) trust {
	return trust{keeps: keeps, settles: settles, since: now}
}

// update updates whether a session is up, and whether there are routes. A peer that came back without
// routes may not have its settings for this router yet, as a reflector after the router's address
// changed: it counts as absent. A peer that had routes may have withdrawn all.
func (t *trust) update(up, offers bool, now time.Time) {
	if up = up && (offers || t.up); up != t.up {
		t.up, t.since = up, now
	}
}

// trustLevel is how much of the table is applied.
type trustLevel int

const (
	nothing    trustLevel = iota // the table is ignored: routes stay
	additions                    // new routes are added; missing routes are kept, they may still arrive
	everything                   // the table is complete
)

// at returns the current belief, and when to check again; the zero time if it doesn't change by
// itself.
func (t *trust) at(now time.Time) (trustLevel, time.Time) {
	wait, until := t.keeps, nothing
	if t.up {
		wait, until = t.settles, additions
	}
	if end := t.since.Add(wait); now.Before(end) {
		return until, end
	}
	return everything, time.Time{}
}
