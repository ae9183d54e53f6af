package stability

// Outcome is what one change did.
type Outcome struct {
	Round    int     `json:"round"`
	NextHops string  `json:"nextHops"` // "plain" or "resilient"
	Behind   string  `json:"behind"`   // who the replicas are
	Kind     Kind    `json:"kind"`
	Which    string  `json:"which"` // replica, by its place in the router's order
	Replicas int     `json:"replicas"`
	Seconds  float64 `json:"seconds"` // until the router's kernel had it
	TCP      Tally   `json:"tcp"`
	UDP      Tally   `json:"udp"`
}

// Kind of a change.
type Kind string

// The kinds.
const (
	Drained Kind = "drained" // it leaves in good order
	Killed  Kind = "killed"  // its processes die, and its network with them
	CutOff  Kind = "cut off" // it goes without a word
	Added   Kind = "added"
)

// Tally is of all connections or flows that were there before a change.
type Tally struct {
	All     int `json:"all"`
	Own     int `json:"own"`     // that have to move: those of the replica that goes, or that one that comes takes over
	Moved   int `json:"moved"`   // although they need not
	Broken  int `json:"broken"`  // in all
	Strange int `json:"strange"` // broken that were none of the replica's own, before or after
}

// LeftOut is a subject that can't run here.
type LeftOut struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

// Line is one of what the benchmark prints: exactly one of these.
type Line struct {
	Changed *Outcome `json:"changed,omitempty"`
	LeftOut *LeftOut `json:"leftOut,omitempty"`
}
