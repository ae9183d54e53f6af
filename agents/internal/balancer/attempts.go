package balancer

import (
	"slices"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// attemptAgain is when a candidate is tried again although nothing has changed: the cause
// may be on the host.
const attemptAgain = 10 * time.Minute

// attempt is a candidate that could not carry some services. It can only be found out by
// opening it next to the running engine, which must not happen with each config.
type attempt struct {
	err    partlyError
	failed []datapath.Service // as they were wanted
	at     time.Time
}

// noteAttempt records a candidate that carries only some services.
func (d *Driver) noteAttempt(candidate string, desired Desired, err partlyError) {
	one := attempt{err: err, at: time.Now()}
	for _, key := range err.services {
		if service := desired.service(key); service != nil {
			one.failed = append(one.failed, service.Wanted)
		}
	}
	d.attempts[candidate] = one
}

// failsAgain reports whether a candidate would fail as in its last attempt.
func (d *Driver) failsAgain(candidate string, desired Desired) (attempt, bool) {
	last, known := d.attempts[candidate]
	if !known || d.running == nil || time.Since(last.at) >= attemptAgain {
		return last, false
	}
	return last, !slices.ContainsFunc(last.failed, func(was datapath.Service) bool {
		service := desired.service(was.Key)
		return service == nil || !service.Wanted.Equal(&was)
	})
}
