package replica

import (
	"time"

	"fairlead.dev/agents/internal/session/cookie"
)

// guessesMost is how many connections may be compared with all cookies in one repetition. Each takes some milliseconds.
const guessesMost = 4

// lackedUntil returns until when the hello of a connection that no backend has may still arrive.
func (r *Replica) lackedUntil(s *search) time.Time {
	switch {
	case s.last == nil || s.last.Ends != 0:
		return time.Time{}
	case s.last.MayBegin != 0 && r.mayBegin(s):
		return s.began.Add(looseSpan)
	default:
		return s.began.Add(searchSpan)
	}
}

// mayBegin reports whether a packet without timestamps may be of a hello whose first part was lost. Such a packet
// acknowledges a cookie; those of almost all older connections don't.
func (r *Replica) mayBegin(s *search) bool {
	if s.guessed {
		return !s.isOld
	}
	if r.searches.guesses >= guessesMost {
		return true
	}
	r.searches.guesses++
	of := cookie.Connection{Client: s.flow.Client, Service: addressOf(s.flow.Service)}
	s.isOld = !cookie.Began(s.service.Keys, of, s.last.Seq, cookie.EpochAt(time.Now()), s.last.Ack-1, helloMost)
	s.guessed = true
	return !s.isOld
}
