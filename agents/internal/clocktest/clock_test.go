package clocktest_test

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/clocktest"
)

func TestOnlyTheWallClockJumps(t *testing.T) {
	const most = time.Minute // between two readings on a busy machine, and less than any step
	var clock clocktest.Clock
	for _, by := range []time.Duration{0, time.Hour, -time.Hour, 400 * 24 * time.Hour} {
		clock.Set(by)
		before, set := time.Now(), clock.Now()
		if passed := set.Sub(before); passed < 0 || passed > most {
			t.Errorf("%s: %s have passed", by, passed)
		}
		if off := set.Round(0).Sub(before.Round(0)); off < by || off > by+most {
			t.Errorf("%s: the wall is off by %s", by, off)
		}
	}
}
