package load

import (
	"math/rand/v2"
	"time"
)

// Arrivals is how the times at which requests are due are spread.
type Arrivals string

// The kinds of arrivals.
const (
	Poisson Arrivals = "poisson" // at random, as from many independent users
	Uniform Arrivals = "uniform" // at equal distances
)

// schedule is when requests are due.
type schedule struct {
	kind   Arrivals
	gap    float64 // mean, in nanoseconds
	count  float64
	at     float64
	random *rand.Rand
}

func newSchedule(kind Arrivals, rate float64, seed uint64) *schedule {
	return &schedule{kind: kind, gap: float64(time.Second) / rate, random: rand.New(rand.NewPCG(seed, seedOfArrivals))}
}

// next returns when the next request is due.
func (s *schedule) next() time.Duration {
	s.count++
	if s.kind == Poisson {
		s.at += s.random.ExpFloat64() * s.gap
	} else {
		s.at = s.count * s.gap // a sum would drift
	}
	return time.Duration(s.at)
}
