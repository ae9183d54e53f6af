package adaptive

// Line is one line of output: exactly one of these.
type Line struct {
	Turn    *Turn    `json:"turn,omitempty"`
	LeftOut *LeftOut `json:"leftOut,omitempty"`
}

// LeftOut is a subject that this machine can't run.
type LeftOut struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

// Turn is one measurement of a subject in a scenario.
type Turn struct {
	Round    int    `json:"round"`
	Scenario string `json:"scenario"`
	Subject  string `json:"subject"`

	Requests uint64     `json:"requests"` // answered
	Seconds  float64    `json:"seconds"`
	MeanMs   float64    `json:"meanMs"` // from when a request was due to its answer
	P50Ms    float64    `json:"p50Ms"`
	P99Ms    float64    `json:"p99Ms"`
	Served   [][]uint64 `json:"served"` // requests by the node where they entered, and the one that served them
	Failed   uint64     `json:"failed"`
	Because  string     `json:"because,omitempty"` // the first failure

	Recovery *Recovery `json:"recovery,omitempty"` // after an event

	LatenessP99Ms float64  `json:"latenessP99Ms"` // of requests that were due at a time
	IdleShare     float64  `json:"idleShare"`     // of this machine's processors
	Void          []string `json:"void"`          // why the figures don't count
}

// Recovery is what followed an event.
type Recovery struct {
	WorstMeanMs float64  `json:"worstMeanMs"` // of 100 ms
	FinalMeanMs float64  `json:"finalMeanMs"` // of the last second
	GoodAfterMs float64  `json:"goodAfterMs"` // until the mean first stayed below 1.5 times the final one for 500 ms, without failures
	FailedLater []uint64 `json:"failedLater"` // failed requests that began after the event, by the node where they entered
}
