package balancer

import (
	"context"
	"net/http"
	"time"

	"fairlead.dev/agents/internal/speaker/beside"
)

const (
	// outlastMost is more than any speaker drains.
	outlastMost = time.Hour + time.Minute

	// endsWithin is how long a speaker may take to say that it was asked to end too, as all
	// processes of a pod are at once.
	endsWithin = time.Second

	// goneAfter is how long it is silent that has ended, while routers hear of that.
	goneAfter = 2 * time.Second

	outlastLook = 100 * time.Millisecond
)

// question is the last that the speaker beside this replica asked.
type question struct {
	at   time.Time
	ends bool // it drains, and then ends
}

// hears notes what the speaker asks.
func (d *Driver) hears(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if word := r.Header.Get(beside.Header); word != "" {
			d.question.Store(&question{time.Now(), word == beside.Ends})
		}
		page.ServeHTTP(w, r)
	})
}

// Leave goes on as long as a speaker drains beside this replica: connections that it drains
// live here. One that is asked to end alone ends; another process takes over what it carried.
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
