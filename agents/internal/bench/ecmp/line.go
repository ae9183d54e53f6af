package ecmp

import "time"

// What is measured.
const (
	Announced = "announced" // the speaker decided to offer it → the hop is in the kernel
	Withdrawn = "withdrawn" // the speaker decided not to offer it → the hop is gone
	Written   = "written"   // the speaker's config was replaced → the hop came or went
	Killed    = "killed"    // SIGKILL → the hop is gone
	Frozen    = "frozen"    // SIGSTOP → the hop is gone, by BFD
	Held      = "held"      // SIGSTOP → the hop is gone, by the hold time
	Answered  = "answered"  // a backend became ready → a client was answered through its replica
	Probed    = "probed"    // … of it until the speaker found that its replica carries it
	Routed    = "routed"    // … until the hop was in the kernel
	Asked     = "asked"     // … until the client was answered
	Begun     = "begun"     // a replica's processes were started → a client was answered through it
	Joined    = "joined"    // … from when its balancer was ready and its speaker had a session
	Astray    = "astray"    // transitions that nobody ordered
)

// Took is one change, and how long it took.
type Took struct {
	Subject string  `json:"subject"`
	What    string  `json:"what"`
	MS      float64 `json:"ms"`
}

// Count is of something that should be none.
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

// Line is one of what the benchmark prints: exactly one of these.
type Line struct {
	Took    *Took    `json:"took,omitempty"`
	Count   *Count   `json:"count,omitempty"`
	LeftOut *LeftOut `json:"leftOut,omitempty"`
}

func took(subject, what string, took time.Duration) Line {
	return Line{Took: &Took{subject, what, float64(took) / float64(time.Millisecond)}}
}
