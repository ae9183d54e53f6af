package router

import (
	"testing"
	"time"
)

func TestHowFarTheTableIsBelieved(t *testing.T) {
	began := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	trust := newTrust(60*time.Second, 5*time.Second, began)
	for _, step := range []struct {
		name string
		at   time.Duration
		up   bool
		want belief
		next time.Duration // 0: it doesn't change by itself
	}{
		{"it begins", 0, false, nothing, 60 * time.Second},
		{"nobody comes", 59 * time.Second, false, nothing, 60 * time.Second},
		{"for too long", 60 * time.Second, false, everything, 0},
		{"the first peer", 70 * time.Second, true, additions, 75 * time.Second},
		{"it stays", 74 * time.Second, true, additions, 75 * time.Second},
		{"settled", 75 * time.Second, true, everything, 0},
		{"the last is gone", 90 * time.Second, false, nothing, 150 * time.Second},
		{"one is back", 100 * time.Second, true, additions, 105 * time.Second},
		{"and gone again", 101 * time.Second, false, nothing, 161 * time.Second},
		{"for too long again", 161 * time.Second, false, everything, 0},
	} {
		now := began.Add(step.at)
		trust.see(step.up, now)
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
