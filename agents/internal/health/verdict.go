package health

import (
	"fmt"
	"math"
	"time"
)

// Health is the health of a backend.
type Health string

// The states of health.
const (
	Unknown Health = "unknown"
	Up      Health = "up"
	Down    Health = "down"
)

// State is a backend's health, since when, and why if it is down. Since is the time of
// the first of the consecutive equal results that caused it.
type State struct {
	Health  Health
	Failing bool // the last check failed
	Message string
	Since   time.Time
	Began   time.Time
}

// A backend that flaps is held down, because each return takes connections that the next
// fall breaks. Each fall costs a penalty of one, which halves every half-life: four falls
// within a minute or so are too many, and after the last one a backend is held for a
// minute at most.
const (
	penaltyHalfLife = 30 * time.Second
	penaltyTooMuch  = 3.0
	penaltyForgiven = 1.5
	penaltyMost     = 6.0
)

// verdict turns results into a state.
type verdict struct {
	State
	successes, failures int
	turned              time.Time // time of the first of the latest equal results
	penalty             float64
	penaltyAt           time.Time
	held                bool
	// isNewPath is of a backend that is up. When the delivery of a service changes, backends may prepare for the new one a moment after
	// the replicas, and all would be down at once.
	isNewPath bool
}

func newVerdict(now time.Time) verdict { return verdict{State: State{Health: Unknown, Since: now}} }

// take records one result, nil for success, and reports whether it changed the backend's
// health. The very first result decides alone, except that a new path has to fail as often as one that was up.
func (v *verdict) take(answer error, check Check, now time.Time) (changed bool) {
	if answer != nil {
		return v.failed(answer, check, now)
	}
	return v.succeeded(check, now)
}

func (v *verdict) failed(answer error, check Check, now time.Time) bool {
	if v.failures == 0 {
		v.turned = now
	}
	v.successes = 0
	v.failures++
	if v.Health == Down {
		v.Message = answer.Error()
		return false
	}
	if (v.Health == Up || v.isNewPath) && v.failures < check.Fall {
		return false
	}
	if v.Health == Up {
		v.penalty = min(v.penaltyNow(now)+1, penaltyMost)
		v.penaltyAt = now
		v.held = v.penalty > penaltyTooMuch
	}
	v.State = State{Health: Down, Message: answer.Error(), Since: now, Began: v.turned}
	return true
}

func (v *verdict) succeeded(check Check, now time.Time) bool {
	if v.successes == 0 {
		v.turned = now
	}
	v.failures = 0
	v.successes++
	if v.Health == Up {
		return false
	}
	if v.Health == Down && v.successes < check.Rise {
		return false
	}
	if v.held && v.penaltyNow(now) > penaltyForgiven {
		v.Message = fmt.Sprintf("responds, but went down too often: held down until it is stable for about %v more", v.rest(now))
		return false
	}
	v.held = false
	v.State = State{Health: Up, Since: now, Began: v.turned}
	return true
}

func (v *verdict) penaltyNow(now time.Time) float64 {
	return v.penalty * math.Exp2(-float64(now.Sub(v.penaltyAt))/float64(penaltyHalfLife))
}

// rest returns the time until the penalty is below the limit.
func (v *verdict) rest(now time.Time) time.Duration {
	return time.Duration(math.Log2(v.penaltyNow(now)/penaltyForgiven) * float64(penaltyHalfLife)).Round(time.Second)
}
