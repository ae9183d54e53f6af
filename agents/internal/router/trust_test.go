package router

import (
	"testing"
	"time"
)

func TestWhenTheTableIsTrusted(t *testing.T) {
	began := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	trust := newTrust(60*time.Second, 5*time.Second, began)
	for _, step := range []struct {
		name   string
		at     time.Duration
		up     bool
		want   trustLevel
		next   time.Duration // 0: it doesn't change by itself
		silent bool          // there are no routes
	}{
		{"start", 0, false, nothing, 60 * time.Second, false},
		{"no peer", 59 * time.Second, false, nothing, 60 * time.Second, false},
		{"keep time over", 60 * time.Second, false, everything, 0, false},
		{"the first peer", 70 * time.Second, true, additions, 75 * time.Second, false},
		{"still up", 74 * time.Second, true, additions, 75 * time.Second, false},
		{"settled", 75 * time.Second, true, everything, 0, false},
		{"all lost", 90 * time.Second, false, nothing, 150 * time.Second, false},
		{"one is back without routes", 99 * time.Second, true, nothing, 150 * time.Second, true},
		{"then with routes", 100 * time.Second, true, additions, 105 * time.Second, false},
		{"all routes withdrawn", 100500 * time.Millisecond, true, additions, 105 * time.Second, true},
		{"lost again", 101 * time.Second, false, nothing, 161 * time.Second, false},
		{"keep time over again", 161 * time.Second, false, everything, 0, false},
	} {
		now := began.Add(step.at)
		trust.update(step.up, !step.silent, now)
		got, next := trust.at(now)
		want := time.Time{}
		if step.next > 0 {
			want = began.Add(step.next)
		}
		if got != step.want || !next.Equal(want) {
			t.Errorf("%s: belief %d until %v, want %d until %v", step.name, got, next, step.want, want)
		}
	}
}
