package adaptive

// Line is one line of output: exactly one of these.
type Line struct {
	Turn    *Turn    `json:"turn,omitempty"`
	LeftOut *LeftOut `json:"leftOut,omitempty"`
	WhatIf  *WhatIf  `json:"whatIf,omitempty"`
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

	LatenessP99Ms float64   `json:"latenessP99Ms"`     // of requests that were due at a time
	IdleShare     float64   `json:"idleShare"`         // of this machine's processors
	Cores         Cores     `json:"cores"`             // that parts of the lab used
	Workers       []float64 `json:"workers,omitempty"` // of pods: the part of each node's CPU time that its pods used
	Void          []string  `json:"void"`              // why the figures don't count
}

// Cores are the CPU time that processes used, by the part of the lab that they are, per time.
type Cores struct {
	Servers float64 `json:"servers"`
	Clients float64 `json:"clients"`
	Agents  float64 `json:"agents"`
	Lines   float64 `json:"lines"` // and all that nodes do with a packet that arrives
}

// Recovery is what followed an event.
type Recovery struct {
	MeansMs     []float64 `json:"meansMs"`     // of each 100 ms since
	Failures    []int     `json:"failures"`    // in each 100 ms since
	FinalMeanMs float64   `json:"finalMeanMs"` // of the last second
	FailedLater []uint64  `json:"failedLater"` // failed requests that began after the event, by the node where they entered
}
