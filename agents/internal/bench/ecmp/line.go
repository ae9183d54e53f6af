package ecmp

import "time"

// The measurements.
const (
	Announced = "announced" // the speaker decided to advertise it → the hop is in the kernel
	Withdrawn = "withdrawn" // the speaker decided to withdraw it → the hop is gone
	Written   = "written"   // the speaker's config was replaced → the hop was added or removed
	Killed    = "killed"    // SIGKILL → the hop is gone
	Frozen    = "frozen"    // SIGSTOP → the hop is gone, by BFD
	Held      = "held"      // SIGSTOP → the hop is gone, by the hold time
	Answered  = "answered"  // a backend became ready → a client got a reply through its replica
	Probed    = "probed"    // … of it, until the speaker's probe succeeded
	Routed    = "routed"    // … until the hop was in the kernel
	Asked     = "asked"     // … until the client got a reply
	Begun     = "begun"     // a replica's processes were started → a client got a reply through it
	Joined    = "joined"    // … from when its balancer was ready and its speaker had a session
	Astray    = "astray"    // unexpected transitions
)

// Took is the duration of one change.
type Took struct {
	Subject string  `json:"subject"`
	What    string  `json:"what"`
	MS      float64 `json:"ms"`
}

// Count counts something that should be zero.
type Count struct {
	Subject string `json:"subject"`
	What    string `json:"what"`
	Count   int    `json:"count"`
}

// LeftOut is a subject that can't run here.
type LeftOut struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

// Line is one line of output: exactly one of these.
type Line struct {
	Took    *Took    `json:"took,omitempty"`
	Count   *Count   `json:"count,omitempty"`
	LeftOut *LeftOut `json:"leftOut,omitempty"`
}

func took(subject, what string, took time.Duration) Line {
	return Line{Took: &Took{subject, what, float64(took) / float64(time.Millisecond)}}
}
