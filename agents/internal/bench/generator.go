package bench

// GeneratorPlan is how to measure the load generator itself.
type GeneratorPlan struct {
	Rounds  int
	Seconds float64 // of each measurement
	Steps   int     // at most, to find the limit of each kind of load
}

// GeneratorLine is one line of output: exactly one of these.
type GeneratorLine struct {
	Step  *GeneratorStep  `json:"step,omitempty"`
	Stall *GeneratorStall `json:"stall,omitempty"`
}

// GeneratorStep is one measurement at one rate.
type GeneratorStep struct {
	Kind          string   `json:"kind"`
	Half          bool     `json:"half"` // at half of the limit, and not to find it
	Rate          float64  `json:"rate"`
	DuePerSecond  float64  `json:"duePerSecond"` // arrivals at random differ from the rate in a short time
	SentPerSecond float64  `json:"sentPerSecond"`
	LatenessP99Ms float64  `json:"latenessP99Ms"`
	LatencyP50Ms  float64  `json:"latencyP50Ms"`
	LatencyP99Ms  float64  `json:"latencyP99Ms"`
	Resumed       uint64   `json:"resumed"`
	Failed        uint64   `json:"failed"`
	VoidReasons   []string `json:"voidReasons"`
}

// reached reports whether the generator sent what was due.
func (s GeneratorStep) reached() bool {
	return len(s.VoidReasons) == 0 && s.Failed == 0 && s.SentPerSecond >= 0.99*s.DuePerSecond
}

// GeneratorStall is a measurement of a server that stalled once, by the generator and by a closed-loop client.
type GeneratorStall struct {
	Round           int      `json:"round"`
	StallMs         float64  `json:"stallMs"`
	LatencyP99Ms    float64  `json:"latencyP99Ms"`
	LatencyMaxMs    float64  `json:"latencyMaxMs"`
	ClosedLoopP99Ms float64  `json:"closedLoopP99Ms"`
	ClosedLoopMaxMs float64  `json:"closedLoopMaxMs"`
	VoidReasons     []string `json:"voidReasons"`
}
