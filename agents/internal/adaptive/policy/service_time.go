package policy

import (
	"math"
	"time"
)

const (
	// serviceWindow is in which time past measurements lose all but 1/e of their weight.
	serviceWindow = 500 * time.Millisecond

	// fewestRequests is the weight below which they keep it: a few requests may all be short ones.
	fewestRequests = 30

	// serviceFall is in which time the estimate may fall to 1/e. Requests that complete in a burst after a pause look
	// shorter than they are.
	serviceFall = 2 * time.Second

	// serviceUnused is in which time an estimate of a node without requests approaches what is usual.
	serviceUnused = 2 * time.Second
)

// ServiceTime estimates how long a request takes one core: the time that cores were busy, divided by the requests
// that were completed. It grows if the node is throttled, slowed down or shared. It prefers too long to too
// short, because half of the real time doubles the tail of latency, and twice of it costs a few percent.
type ServiceTime struct {
	busy     float64 // seconds of cores
	requests float64
	estimate float64
	usual    float64 // at other nodes; 0: unknown
}

// SetUsual sets how long a request takes one core at other nodes, as Usual has it.
func (s *ServiceTime) SetUsual(seconds float64) { s.usual = seconds }

// Add records a period: how long it was, ∫min(requests in flight, cores)dt in seconds, and the requests that
// were completed in it.
func (s *ServiceTime) Add(period time.Duration, busy float64, requests int) {
	if period <= 0 || !(busy >= 0) || busy > mostRate || requests < 0 {
		return
	}
	if busy == 0 && requests == 0 && s.usual > 0 && s.estimate > s.usual {
		s.forget(period)
		return
	}
	keep := math.Exp(-float64(period) / float64(serviceWindow))
	if s.requests > 0 {
		keep = max(keep, min(1, fewestRequests/s.requests))
	} else {
		keep = 1
	}
	s.busy, s.requests = keep*s.busy+busy, keep*s.requests+float64(requests)
	if s.requests > 0 {
		s.estimate = max(s.busy/s.requests, s.estimate*math.Exp(-float64(period)/float64(serviceFall)))
	}
}

// forget lets the estimate approach what is usual. A node whose first requests were slow gets no others that would
// correct it, as long as its estimate says so.
func (s *ServiceTime) forget(period time.Duration) {
	keep := math.Exp(-float64(period) / float64(serviceUnused))
	s.estimate = s.usual + keep*(s.estimate-s.usual)
	s.requests *= keep
	s.busy = s.requests * s.estimate
}

// Seconds returns the estimate; 0 before the first request was completed.
func (s *ServiceTime) Seconds() float64 { return s.estimate }
