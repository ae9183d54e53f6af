package adaptive

import (
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

const (
	// fullLoad is the utilization beyond which another request waits for long.
	fullLoad = 0.9

	// fullFor is how long it lasts before it is an event, or has passed.
	fullFor = 3 * time.Second
)

// overload is whether all nodes of a service are full.
type overload struct {
	is    bool      // as last reported
	since time.Time // it is different; zero: it isn't
}

// see reports whether it changed.
func (o *overload) see(isFull bool, now time.Time) (changed bool) {
	switch {
	case isFull == o.is:
		o.since = time.Time{}
	case o.since.IsZero():
		o.since = now
	case now.Sub(o.since) >= fullFor:
		o.is, o.since = isFull, time.Time{}
		return true
	}
	return false
}

// isFull reports whether a node with these figures has no room.
func isFull(f policy.Figures) bool { return f.Rate*f.ServiceTime >= fullLoad*f.Cores }
