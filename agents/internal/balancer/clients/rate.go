package clients

import (
	"math"
	"time"
)

const (
	readMost      = 1000 // packets a second, about
	intervalSpan  = time.Second
	oneInMost     = 1 << 20
	slowestChange = 4 // the factor by which more is sampled after a second with less traffic
)

// nextOneIn returns the sampling rate for the next interval, a power of two, after one with so many
// selected packets. It rises at once to what the traffic needs. It falls in steps, because few
// packets say little about the traffic.
func nextOneIn(oneIn uint32, selected int, span time.Duration) uint32 {
	needed := float64(selected) * float64(oneIn) / span.Seconds() / readMost
	next := uint32(1)
	for float64(next) < math.Min(needed, oneInMost) {
		next *= 2
	}
	return max(next, oneIn/slowestChange)
}
