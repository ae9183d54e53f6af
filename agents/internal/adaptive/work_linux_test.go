package adaptive

import (
	"math"
	"testing"
	"time"
)

func TestWorkIsThatSinceTheLastReport(t *testing.T) {
	before := work{busy: time.Second, done: 100}
	for _, test := range []struct {
		name      string
		now, want work
	}{
		{"20 requests", work{1100 * time.Millisecond, 120}, work{100 * time.Millisecond, 20}},
		{"no request", before, work{}},
		{"counts that began again", work{time.Millisecond, 120}, work{}},
	} {
		if got := test.now.since(before); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A request of 1 ms of a core, in a second of which a fifth may be used.
func TestWaitingForAQuotaIsNoWork(t *testing.T) {
	for _, test := range []struct {
		name        string
		busy, lost  time.Duration
		wantSeconds float64
	}{
		{"within the quota", time.Millisecond, 0, 0.001},
		{"4 ms until the next period", 5 * time.Millisecond, 4 * time.Millisecond, 0.001},
		{"more than the quota", 500 * time.Millisecond, 100 * time.Millisecond, 0.2},
		{"others waited longer", time.Millisecond, time.Second, 0.001},
	} {
		got := work{busy: test.busy, done: 1}.underQuota(0.2, test.lost)
		if math.Abs(got-test.wantSeconds) > 1e-9 {
			t.Errorf("%s: %g s, want %g", test.name, got, test.wantSeconds)
		}
	}
}
