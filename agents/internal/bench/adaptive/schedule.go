package adaptive

import (
	"math"
	"math/rand/v2"
	"time"
)

// never is later than any turn.
const never time.Duration = math.MaxInt64

// schedule is when requests are due: at random, as from many independent users.
type schedule struct {
	rate       float64 // per second; 0: never
	surgeAfter time.Duration
	random     *rand.Rand
}

func newSchedule(order turnOrder) schedule {
	from := never
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
		return never
	}
	return due + time.Duration(s.random.ExpFloat64()/rate*float64(time.Second))
}
