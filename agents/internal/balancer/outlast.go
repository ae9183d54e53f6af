package balancer

import (
	"context"
	"net/http"
	"time"

	"fairlead.dev/agents/internal/speaker/beside"
)

const (
	// outlastMost is more than any speaker's drain time.
	outlastMost = time.Hour + time.Minute

	// endsWithin is how long a speaker may take to report that it is stopping too,
	// as all processes of a pod are at once.
	endsWithin = time.Second

	// goneAfter is how long a speaker is silent before it counts as stopped, so that
	// routers have its withdrawals.
	goneAfter = 2 * time.Second

	outlastLook = 100 * time.Millisecond
)

// question is the last request of the speaker next to this replica.
type question struct {
	at   time.Time
	ends bool // it drains, and then stops
}

// recordQuestion stores the speaker's requests.
func (d *Driver) recordQuestion(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if state := r.Header.Get(beside.Header); state != "" {
			d.question.Store(&question{time.Now(), state == beside.Ends})
		}
		page.ServeHTTP(w, r)
	})
}

// Leave keeps the replica running while a speaker drains next to it: its connections are
// carried here. Without a draining speaker the replica stops at once; another process
// takes over what it carried.
func (d *Driver) Leave(context.Context) (left bool, err error) {
	now := time.Now()
	if d.ends.IsZero() {
		d.ends = now
	}
	if d.running == nil || !outlasts(d.question.Load(), d.ends, now) {
		return true, nil
	}
	time.AfterFunc(outlastLook, d.stir)
	return false, nil
}

func outlasts(speaker *question, ends, now time.Time) bool {
	switch {
	case speaker == nil:
		return false
	case speaker.ends:
		return now.Sub(speaker.at) < goneAfter
	}
	return now.Sub(speaker.at) < endsWithin && now.Sub(ends) < endsWithin
}
