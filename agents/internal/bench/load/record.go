package load

import (
	"encoding/json"
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"fairlead.dev/agents/internal/bench/latency"
)

// mostBackends bounds the names that are counted, because the body of a reply may be any text. Replies of further
// ones are counted as otherBackends.
const (
	mostBackends  = 1000
	otherBackends = "other"
)

// record is what a run measured so far.
type record struct {
	from    time.Duration // requests that were due before aren't measured
	until   time.Duration // what was sent or answered later doesn't count for the rates
	returns *json.Encoder // nil without a file

	lock                                              sync.Mutex
	due, sent, sentInTime, answered, inTime, reopened uint64
	unanswered, unsent, localFaults                   uint64
	latency, sendToReply, lateness, pacing, wait      *latency.Histogram
	full, resumed                                     *latency.Histogram
	sessions                                          Sessions
	backends                                          map[string]uint64
	failures                                          map[string]uint64
	firstFailure, localFault                          string
	writeError                                        error
	scheduling                                        scheduling // since the first request that is measured
}

func newRecord(from, until time.Duration, returns io.Writer) *record {
	r := &record{
		from: from, until: until, backends: map[string]uint64{}, failures: map[string]uint64{},
		latency: latency.NewHistogram(), sendToReply: latency.NewHistogram(), lateness: latency.NewHistogram(),
		pacing: latency.NewHistogram(), wait: latency.NewHistogram(), full: latency.NewHistogram(), resumed: latency.NewHistogram(),
	}
	if returns != nil {
		r.returns = json.NewEncoder(returns)
	}
	return r
}

// end sets when requests stopped to be due. An interrupted run has its rates until then.
func (r *record) end(until time.Duration) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.until = until
}

// addArrival counts how late the generator made a request arrive. It counts apart from the send: while the subject
// keeps all users busy, a late arrival delays no send, but shows that the generator has too little processor time.
func (r *record) addArrival(due, now time.Duration) {
	if due < r.from {
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.pacing.Add(now - due)
	if r.scheduling.before == nil {
		r.scheduling = newScheduling()
	}
}

// add counts a request that was sent.
func (r *record) add(o outcome) {
	if o.due < r.from {
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.due++
	r.sent++
	if o.sent < r.until {
		r.sentInTime++
	}
	if o.reopened {
		r.reopened++
	}
	r.lateness.Add(o.sent - o.free)
	r.wait.Add(o.free - o.due)
	if o.opened != nil && o.opened.handshake > 0 {
		r.addHandshake(o.opened)
	}
	if o.replied {
		r.addReply(o)
	}
	if o.err != nil {
		r.addFailure(o)
		return
	}
	r.answered++
	if o.done < r.until {
		r.inTime++
	}
	r.latency.Add(o.done - o.due)
	r.sendToReply.Add(o.done - o.sent)
}

// addReply counts whom a reply came from. One that reports an error is from a backend, too.
func (r *record) addReply(o outcome) {
	backend := o.backend
	if _, known := r.backends[backend]; !known && len(r.backends) >= mostBackends {
		backend = otherBackends
	}
	r.backends[backend]++
	if o.opened != nil {
		r.addConnection(o)
	}
}

// addUnsent counts requests that no user was free for until the end.
func (r *record) addUnsent(due []time.Duration, now time.Duration) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, each := range due {
		if each >= r.from {
			r.due++
			r.unsent++
			r.latency.Add(now - each)
			r.wait.Add(now - each)
		}
	}
}

func (r *record) addHandshake(o *opening) {
	if o.shake.resumed {
		r.resumed.Add(o.handshake)
	} else {
		r.full.Add(o.handshake)
	}
}

// addFailure counts a request without a valid reply. One that timed out has its time so far as its latency: to
// leave it out would hide the slowest requests.
func (r *record) addFailure(o outcome) {
	if isLocal(o.err) {
		r.localFaults++
		r.localFault = o.err.Error()
	}
	how := o.phase + ": " + explain(o.err)
	if r.failures[how]++; r.firstFailure == "" {
		r.firstFailure = o.phase + ": " + o.err.Error()
	}
	if isTimeout(o.err) {
		r.unanswered++
		r.latency.Add(o.done - o.due)
		r.sendToReply.Add(o.done - o.sent)
	}
}

// addConnection counts the first reply on a connection.
func (r *record) addConnection(o outcome) {
	s := &r.sessions
	s.Connections++
	if o.opened.number == 1 {
		s.NewUsers++
		return
	}
	s.Returns++
	if o.opened.shake.offered {
		s.Offered++
	}
	if o.opened.shake.resumed {
		s.Resumed++
	}
	switch {
	case o.before == "" || o.backend == "":
		s.UnknownBackend++
	case o.before == o.backend:
		s.SameBackend++
	default:
		s.OtherBackend++
	}
	if r.returns != nil && r.writeError == nil {
		r.writeError = r.returns.Encode(Return{
			Seconds: o.due.Seconds(), User: o.user, Connection: o.opened.number, Offered: o.opened.shake.offered,
			Resumed: o.opened.shake.resumed, Backend: o.backend, Before: o.before, Milliseconds: float64(o.done-o.due) / 1e6,
		})
	}
}

// isLocal reports whether this machine couldn't open a connection, which isn't the subject's fault.
func isLocal(err error) bool {
	for _, each := range []error{syscall.EADDRNOTAVAIL, syscall.EADDRINUSE, syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS} {
		if errors.Is(err, each) {
			return true
		}
	}
	return false
}
