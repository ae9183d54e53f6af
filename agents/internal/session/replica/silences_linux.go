package replica

import "time"

const (
	silentSpan = 2 * time.Second // without an answer, until hellos no longer wait for a companion. A busy host, or one that searches our link address, is slow for less
	silentGap  = silentSpan / 4  // between queries without an answer, after which a silence begins again: this process may have been slow, too
)

// silences are of companions that don't answer queries for session ids: of earlier versions, or on hosts that are gone.
type silences map[ofBackend]silence

// silence is of a companion that has answered nothing since a query. It lasts until the next answer.
type silence struct {
	since, last time.Time // of the first and the last query
	isLong      bool
}

// has reports whether hellos don't wait for a companion.
func (s silences) has(of ofBackend) bool { return s[of].isLong }

func (s silences) addQuery(of ofBackend, now time.Time) {
	one, ok := s[of]
	if !ok || !one.isLong && now.Sub(one.last) > silentGap {
		one.since = now
	}
	one.last, one.isLong = now, one.isLong || now.Sub(one.since) >= silentSpan
	s[of] = one
}

func (s silences) addAnswer(of ofBackend) { delete(s, of) }
