package adaptive

import (
	"math"
	"math/rand/v2"
	"time"
)

// schedule is when requests are due: at random, as from many independent users.
type schedule struct {
	rate       float64 // per second; 0: never
	surgeAfter time.Duration
	random     *rand.Rand
}

func newSchedule(order turnOrder) schedule {
	from := time.Duration(math.MaxInt64)
	if order.SurgeAfter > 0 {
		from = order.SurgeAfter
	}
	return schedule{order.Rate, from, rand.New(rand.NewPCG(order.Seed, 0))}
}

// after returns when the request after another one is due.
func (s schedule) after(due time.Duration) time.Duration {
	rate := s.rate
	if due >= s.surgeAfter {
		rate *= surgeBy
	}
	if rate == 0 {
		return math.MaxInt64
	}
	return due + time.Duration(s.random.ExpFloat64()/rate*float64(time.Second))
}
