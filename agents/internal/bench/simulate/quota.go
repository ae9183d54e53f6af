package simulate

import "math"

// quota is a limit of CPU time per period, as Linux has it for cgroups: within it, requests run as fast as cores can, and
// without any left, they wait for the next period.
type quota struct {
	period float64 // seconds; 0: the limit is a speed
	left   float64 // seconds of cores
	until  float64 // the period ends
}

// held is how much of a period without requests a CPU keeps for the next: the kernel lets each have a millisecond.
const held = 1e-3

// renew begins the periods until now.
func (q *quota) renew(now, cores float64) {
	if q.period == 0 || now < q.until {
		return
	}
	passed := math.Floor((now-q.until)/q.period) + 1
	amount := cores * q.period
	q.left = min(q.left+passed*amount, amount+min(amount, math.Ceil(cores)*held))
	q.until += passed * q.period
}

// tiny isn't distinguished from nothing, because times are rounded.
const tiny = 1e-9

// use takes from what is left.
func (q *quota) use(seconds float64) {
	if q.left -= seconds; q.left < tiny {
		q.left = 0
	}
}

// change is when so many cores have used up what is left, or when the period ends.
func (q *quota) change(now, running float64) float64 {
	if q.left <= 0 {
		return q.until
	}
	return min(q.until, now+q.left/running)
}
