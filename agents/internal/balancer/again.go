package balancer

import (
	"errors"
	"fmt"
	"time"

	"fairlead.dev/agents/internal/events"
)

// unprepared is an error of what has to be ready before the engine carries services. The engine is as it was.
type unprepared struct{ error }

// Unwrap lets errors.Is find the cause.
func (u unprepared) Unwrap() error { return u.error }

// again is when a config that could not be prepared is applied again.
type again struct {
	revision uint64 // of that config
	pause    time.Duration
	timer    *time.Timer
}

// applyAgain makes the loop apply the config again soon if that may succeed then. The pauses grow until it is carried.
func (d *Driver) applyAgain(revision uint64, err error) {
	if revision < d.again.revision {
		return // the loop restores the config before, and the next try is due all the same
	}
	if d.again.timer != nil {
		d.again.timer.Stop()
	}
	if _, is := errors.AsType[unprepared](err); !is {
		d.again = again{}
		return
	}
	pause := min(max(2*d.again.pause, pauseLeast), pauseMost)
	d.again = again{revision, pause, time.AfterFunc(pause, func() {
		select {
		case d.stale <- struct{}{}:
		default:
		}
	})}
}

// complain reports a persistent error once. The next Set retries.
func (d *Driver) complain(err error) {
	if err.Error() == d.lost {
		return
	}
	d.lost = err.Error()
	d.news.Record(events.Event{Reason: EngineFailed, Warning: true, Message: fmt.Sprintf("The data path could not be updated: %v.", err)})
}
