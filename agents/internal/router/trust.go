package router

import "time"

// trust says how far the engine's table may be believed. One that has just begun, or has
// lost its last peer, is empty for reasons that have nothing to do with balancers.
type trust struct {
	keeps   time.Duration // routes, without a peer
	settles time.Duration // after the first peer is back: the others, and their speakers, follow
	up      bool          // there is a peer that tells
	since   time.Time     // of that
}

func newTrust(keeps, settles time.Duration, now time.Time) trust {
	return trust{keeps: keeps, settles: settles, since: now}
}

// see takes whether any session is up, and whether anything at all is offered. Who is back
// and offers nothing may not know who asks, as a reflector that isn't told yet where a router
// moved: that is as if nobody were there. One that told before may well have nothing left.
func (t *trust) see(up, offers bool, now time.Time) {
	if up = up && (offers || t.up); up != t.up {
		t.up, t.since = up, now
	}
}

// belief is what may be done with the table.
type belief int

const (
	nothing    belief = iota // it says nothing: routes stay
	additions                // what it has is right, what it lacks may still come
	everything               // it is the truth
)

// at says what to believe now, and when to ask again; the zero time if nothing changes by itself.
func (t *trust) at(now time.Time) (belief, time.Time) {
	wait, until := t.keeps, nothing
	if t.up {
		wait, until = t.settles, additions
	}
	if end := t.since.Add(wait); now.Before(end) {
		return until, end
	}
	return everything, time.Time{}
}
