package cookie

import "time"

// turnoverSpan is longer than it takes until a new config has reached all agents that are connected.
const turnoverSpan = 2 * time.Minute

// Turnover decides which keys of a service a host uses.
type Turnover struct {
	newest Set
	until  time.Time // use the previous ones; zero: don't
}

// Use returns the keys to use. After a rotation these are the previous ones for a while, because other hosts
// may not have the new ones yet: those would drop the client's hello, or the message. Both are accepted.
func (t *Turnover) Use(newest Set, now time.Time) Set {
	if newest != t.newest {
		follows := newest.Previous != (Keys{}) && newest.Previous == t.newest.Current
		if t.until = (time.Time{}); follows {
			t.until = now.Add(turnoverSpan)
		}
		t.newest = newest
	}
	if now.Before(t.until) {
		return Set{Current: newest.Previous, Previous: newest.Current}
	}
	return newest
}
