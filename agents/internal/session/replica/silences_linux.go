package replica

import "time"

// silentSpan is how long a companion doesn't answer until hellos no longer wait for it. A busy one is slow for less.
const silentSpan = time.Second

// silences are of companions that don't answer queries for session ids: of earlier versions, or on hosts that are gone.
type silences map[ofBackend]silence

// silence is when searches began that ended without the answer of a companion.
type silence struct{ first, last time.Time }

func (s silences) has(of ofBackend) bool { return s[of].last.Sub(s[of].first) >= silentSpan }

// add adds a search that ended without an answer. An answer to any search ends the silence.
func (s silences) add(of ofBackend, began time.Time) {
	one, ok := s[of]
	if !ok {
		one = silence{began, began}
	}
	if began.After(one.last) {
		one.last = began
	}
	if began.Before(one.first) {
		one.first = began
	}
	s[of] = one
}
