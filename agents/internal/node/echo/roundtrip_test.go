package echo

import (
	"testing"
	"time"
)

func TestARoundTripIsTheTimeOnTheNetwork(t *testing.T) {
	const ms = time.Millisecond
	sent := time.Now()
	after := func(span time.Duration) time.Time { return sent.Add(span) }
	byKernel := func(span time.Duration) time.Time { return sent.Round(0).Add(span) }
	for _, test := range []struct {
		name              string
		received, arrived time.Time
		residence, want   time.Duration
		possible          bool
	}{
		{"without the peer's residence", after(10 * ms), time.Time{}, 3 * ms, 7 * ms, true},
		{"until the kernel has the reply, not until a busy process reads it", after(50 * ms), byKernel(10 * ms), 3 * ms, 7 * ms, true},
		{"by the process if the clock was set back", after(10 * ms), byKernel(-time.Hour), 3 * ms, 7 * ms, true},
		{"by the process if the clock was set forward", after(10 * ms), byKernel(time.Hour), 3 * ms, 7 * ms, true},
		{"none with a residence longer than all", after(10 * ms), byKernel(9 * ms), 9 * ms, 0, false},
		{"none with a negative residence", after(10 * ms), time.Time{}, -ms, 0, false},
	} {
		if got, possible := roundTrip(sent, test.received, test.arrived, test.residence); got != test.want || possible != test.possible {
			t.Errorf("%s: got %v, %v", test.name, got, possible)
		}
	}
}

func TestTheShortestOfTheLastTenSecondsCounts(t *testing.T) {
	var m measured
	now := time.Now()
	if got := m.least(now); got != 0 {
		t.Fatalf("before the first reply: %v", got)
	}
	for i := range 12 { // the first two are replaced
		m.add(time.Duration(i+1)*time.Millisecond, now.Add(time.Duration(i)*every))
	}
	last := now.Add(11 * every)
	if got := m.least(last); got != 3*time.Millisecond {
		t.Errorf("got %v", got)
	}
	if got := m.least(last.Add(5 * every)); got != 8*time.Millisecond {
		t.Errorf("after five seconds without a reply: %v", got)
	}
	if got := m.least(last.Add(window)); got != 0 {
		t.Errorf("after ten seconds without a reply: %v", got)
	}
}
