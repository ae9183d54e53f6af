package churn

import "fairlead.dev/agents/internal/lab/app"

// Outcome is the result of one round of one subject.
type Outcome struct {
	Round       int                `json:"round"`
	Subject     string             `json:"subject"`
	Kind        string             `json:"kind"` // "ours", "peer" or "model"
	Connections uint64             `json:"connections"`
	Requests    uint64             `json:"requests"`
	Broken      uint64             `json:"broken"`
	How         map[app.How]uint64 `json:"how,omitempty"`
	Failed      uint64             `json:"failed"`              // never established
	FailedHow   string             `json:"failedHow,omitempty"` // the last error of the client with the most failures
	Seconds     float64            `json:"seconds"`
	Replicas    []int              `json:"replicas"` // in use by the router, at each change
	Backends    int                `json:"backends"` // that replied at all
	Engine      string             `json:"engine,omitempty"`
	Published   *float64           `json:"published,omitempty"` // percent
	Breaks      []app.Break        `json:"breaks,omitempty"`
	Loss        float64            `json:"loss"` // on each cable, in percent
	Lost        uint64             `json:"lost"` // frames, on all cables
}

// LeftOut is a subject that can't run here.
type LeftOut struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

// Line is one line of output: exactly one of these.
type Line struct {
	Churned  *Outcome  `json:"churned,omitempty"`
	LeftOut  *LeftOut  `json:"leftOut,omitempty"`
	Returned *Returned `json:"returned,omitempty"`
}
