package replica

import (
	"testing"
	"time"
)

func TestACompanionIsSilentIfNoQueryForTwoSecondsWasAnswered(t *testing.T) {
	of, other := ofBackend{backend: "a"}, ofBackend{backend: "b"}
	const step = silentSpan / 5
	for name, test := range map[string]struct {
		queries  []time.Duration // since the first one
		answer   time.Duration   // after all queries before that; 0: none
		isSilent bool
	}{
		"never queried":           {nil, 0, false},
		"for less than that":      {[]time.Duration{0, 0, step, 2 * step, 3 * step, 4 * step, silentSpan - 1}, 0, false},
		"for two seconds":         {[]time.Duration{0, step, 2 * step, 3 * step, 4 * step, silentSpan}, 0, true},
		"and then queried rarely": {[]time.Duration{0, step, 2 * step, 3 * step, 4 * step, silentSpan, time.Hour}, 0, true},
		"two lost answers":        {[]time.Duration{0, time.Hour}, 0, false},
		"this process was slow":   {[]time.Duration{0, silentSpan}, 0, false},
		"one answer in between":   {[]time.Duration{0, step, 2 * step, 3 * step, 4 * step, silentSpan}, 3*step - 1, false},
		"an answer afterwards":    {[]time.Duration{0, step, 2 * step, 3 * step, 4 * step, silentSpan}, 2 * silentSpan, false},
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
