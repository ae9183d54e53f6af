package replica

import (
	"testing"
	"time"
)

func TestACompanionIsSilentIfNoQueryForASecondWasAnswered(t *testing.T) {
	of, other := ofBackend{backend: "a"}, ofBackend{backend: "b"}
	const ms = time.Millisecond
	for name, test := range map[string]struct {
		queries  []time.Duration // since the first one
		answer   time.Duration   // after all queries before that; 0: none
		isSilent bool
	}{
		"never queried":           {nil, 0, false},
		"for less than a second":  {[]time.Duration{0, 0, 200 * ms, 400 * ms, 600 * ms, 800 * ms, silentSpan - 1}, 0, false},
		"for a second":            {[]time.Duration{0, 200 * ms, 400 * ms, 600 * ms, 800 * ms, silentSpan}, 0, true},
		"and then queried rarely": {[]time.Duration{0, 400 * ms, 800 * ms, 1200 * ms, time.Hour}, 0, true},
		"two lost answers":        {[]time.Duration{0, time.Hour}, 0, false},
		"one answer in between":   {[]time.Duration{0, 400 * ms, 800 * ms, 1200 * ms}, 500 * ms, false},
		"an answer afterwards":    {[]time.Duration{0, 400 * ms, 800 * ms, 1200 * ms}, 2 * time.Second, false},
	} {
		all, answered := silences{}, test.answer == 0
		for _, at := range test.queries {
			if !answered && at > test.answer {
				all.addAnswer(of)
				answered = true
			}
			all.addQuery(of, now.Add(at))
		}
		if !answered {
			all.addAnswer(of)
		}
		if got := all.has(of); got != test.isSilent || all.has(other) {
			t.Errorf("%s: %t", name, got)
		}
	}
}
