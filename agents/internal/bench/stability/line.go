package stability

// Outcome is the effect of one change.
type Outcome struct {
	Round    int     `json:"round"`
	NextHops string  `json:"nextHops"` // "plain" or "resilient"
	Behind   string  `json:"behind"`   // the kind of replicas
	Kind     Kind    `json:"kind"`
	Which    string  `json:"which"` // replica, by its position in the router's order
	Replicas int     `json:"replicas"`
	Seconds  float64 `json:"seconds"` // until the router's kernel has the change
	TCP      Tally   `json:"tcp"`
	UDP      Tally   `json:"udp"`
}

// Kind of a change.
type Kind string

// The kinds.
const (
	Drained Kind = "drained" // with draining
	Killed  Kind = "killed"  // its processes and its network end
	CutOff  Kind = "cut off" // its network ends without notice
	Added   Kind = "added"
)

// Tally counts the connections or flows that existed before a change.
type Tally struct {
	All     int `json:"all"`
	Own     int `json:"own"`     // of the removed replica, or taken over by an added one: these have to move
	Moved   int `json:"moved"`   // moved although they didn't have to
	Broken  int `json:"broken"`  // in total
	Strange int `json:"strange"` // broken although they were on other replicas before and after
}

// LeftOut is a subject that can't run here.
type LeftOut struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

// Line is one line of output: exactly one of these.
type Line struct {
	Changed *Outcome `json:"changed,omitempty"`
	LeftOut *LeftOut `json:"leftOut,omitempty"`
}
