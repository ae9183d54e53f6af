package policy

import (
	"math"
	"testing"
	"time"
)

const period = 50 * time.Millisecond

// serve adds periods in which cores are all busy with requests of this many seconds.
func serve(s *ServiceTime, during time.Duration, cores, seconds float64) {
	for ; during > 0; during -= period {
		busy := cores * period.Seconds()
		s.Add(period, busy, int(busy/seconds+0.5))
	}
}

func TestServiceTimeIsBusyTimePerRequest(t *testing.T) {
	var s ServiceTime
	serve(&s, time.Second, 2, 0.002)
	near(t, "service time", s.Seconds(), 0.002)
}

func TestServiceTimeFollowsASlowerNodeWithinASecond(t *testing.T) {
	var s ServiceTime
	serve(&s, 5*time.Second, 2, 0.002)
	serve(&s, time.Second, 2, 0.008)
	if got := s.Seconds(); got < 0.005 || got > 0.008 {
		t.Errorf("%g s after a second at a quarter of the speed", got)
	}
	serve(&s, 8*time.Second, 2, 0.002)
	if got := s.Seconds(); got > 0.00201 {
		t.Errorf("%g s eight seconds after the node is fast again", got)
	}
}

func TestServiceTimeIsNeverFarTooShort(t *testing.T) {
	for _, test := range []struct {
		name string
		add  func(s *ServiceTime)
		want float64 // the real time
	}{
		{"requests in a burst after a pause", func(s *ServiceTime) {
			for range 40 {
				s.Add(period, 2*period.Seconds(), 0)
			}
			s.Add(period, 2*period.Seconds(), 1000)
		}, 0.002},
		{"a few short requests", func(s *ServiceTime) {
			for range 4 {
				s.Add(500*time.Millisecond, 0.0005, 5)
			}
		}, 0.002},
		{"no request for an hour", func(s *ServiceTime) { s.Add(time.Hour, 0, 0) }, 0.002},
		{"busy, and no request completed", func(s *ServiceTime) {
			for range 200 {
				s.Add(period, 2*period.Seconds(), 0)
			}
		}, 0.01},
	} {
		var s ServiceTime
		serve(&s, 5*time.Second, 2, 0.002)
		test.add(&s)
		if got := s.Seconds(); got < 0.5*test.want {
			t.Errorf("%s: %g s, real time %g s", test.name, got, test.want)
		}
	}
}

func TestServiceTimeIsUnknownBeforeTheFirstRequest(t *testing.T) {
	var s ServiceTime
	s.Add(time.Second, 1, 0)
	if s.Seconds() != 0 {
		t.Errorf("got %g", s.Seconds())
	}
	for range 3 {
		s.Add(30*time.Second, 30, 1)
	}
	if got := s.Seconds(); got < 25 || got > 60 {
		t.Errorf("a request each 30 s: got %g", got)
	}
}

func TestServiceTimeIgnoresInvalidPeriods(t *testing.T) {
	var s ServiceTime
	serve(&s, time.Second, 2, 0.002)
	before := s
	s.Add(0, 1, 1)
	s.Add(-period, 1, 1)
	s.Add(period, math.NaN(), 1)
	s.Add(period, math.Inf(1), 1)
	s.Add(period, -1, 1)
	s.Add(period, 1, -1)
	if s != before {
		t.Errorf("got %+v, want %+v", s, before)
	}
}

func TestAServiceTimeThatIsTooLongIsForgottenWithoutRequests(t *testing.T) {
	var s ServiceTime
	s.Add(period, 2, 20) // each took 100 ms
	s.SetUsual(0.002)
	idle := func(during time.Duration) {
		for ; during > 0; during -= period {
			s.Add(period, 0, 0)
		}
	}
	idle(time.Second)
	if got := s.Seconds(); got < 0.05 {
		t.Errorf("%g s after a second: it was forgotten too soon", got)
	}
	idle(15 * time.Second)
	if got := s.Seconds(); got > 0.0021 {
		t.Errorf("%g s after 15 seconds more", got)
	}
	serve(&s, time.Second, 2, 0.002)
	if got := s.Seconds(); got > 0.0021 {
		t.Errorf("%g s once it serves again: what was forgotten came back", got)
	}
	serve(&s, time.Second, 2, 0.008)
	if got := s.Seconds(); got < 0.005 {
		t.Errorf("%g s a second after it became slower", got)
	}
}

func TestAServiceTimeIsKeptWithoutRequestsUnlessOthersAreFaster(t *testing.T) {
	for _, usual := range []float64{0, 0.002, 0.5} {
		var s ServiceTime
		s.SetUsual(usual)
		serve(&s, time.Second, 2, 0.002)
		s.Add(time.Hour, 0, 0)
		near(t, "service time", s.Seconds(), 0.002)
	}
}
