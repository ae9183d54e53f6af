package entry

import (
	"errors"
	"time"
)

const (
	// followEvery is how often this node's agent of the role adaptive is looked for.
	followEvery = time.Second

	// reconcileEvery is how often counts are compared with the engine's connections, unless that takes more than
	// 1/reconcileShare of the time.
	reconcileEvery = 2 * time.Second
	reconcileShare = 100
)

// maintain follows costs that appear and disappear, and corrects counts.
func (e *Entry) maintain() {
	defer close(e.ended)
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	next := time.Now()
	for {
		select {
		case <-e.end:
			return
		case <-tick.C:
			next = e.look(next)
		}
	}
}

// look returns when counts are next reconciled, which is due at a time.
func (e *Entry) look(due time.Time) (next time.Time) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	var err error
	if e.services != nil {
		err = e.set(e.services)
	}
	if began := time.Now(); e.costs != nil && began.After(due) {
		_, failed := e.reconcile()
		err = errors.Join(err, failed)
		due = time.Now().Add(max(reconcileEvery, reconcileShare*time.Since(began)))
	}
	e.problem = ""
	if err != nil {
		e.problem = err.Error()
	}
	return due
}
