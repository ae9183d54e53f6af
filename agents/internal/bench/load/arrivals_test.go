package load

import (
	"math"
	"testing"
	"time"
)

func TestUniformArrivalsKeepTheRateWithoutDrift(t *testing.T) {
	schedule := newSchedule(Uniform, 3, 1) // a third of a second is no whole number of nanoseconds
	var at time.Duration
	for range 3_000_000 {
		at = schedule.next()
	}
	if off := (at - 1_000_000*time.Second).Abs(); off > time.Microsecond {
		t.Errorf("after 3000000 arrivals the schedule is off by %v", off)
	}
}

func TestPoissonArrivalsHaveTheRateAndTheSpread(t *testing.T) {
	const count, rate = 200_000, 1000
	schedule := newSchedule(Poisson, rate, 1)
	var last time.Duration
	var sum, squares float64
	for range count {
		at := schedule.next()
		gap := (at - last).Seconds() * rate // 1 on average
		sum, squares, last = sum+gap, squares+gap*gap, at
	}
	mean := sum / count
	if variance := squares/count - mean*mean; math.Abs(mean-1) > 0.02 || math.Abs(variance-1) > 0.05 {
		t.Errorf("the mean gap is %g and its variance %g, of 1 and 1", mean, variance)
	}
}

func TestASeedRepeatsItsArrivals(t *testing.T) {
	one, same, other := newSchedule(Poisson, 10, 7), newSchedule(Poisson, 10, 7), newSchedule(Poisson, 10, 8)
	first := one.next()
	if same.next() != first || other.next() == first {
		t.Error("arrivals don't follow from the seed")
	}
}
