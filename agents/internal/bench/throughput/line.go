package throughput

// Carried is what a number of replicas carried for a while.
type Carried struct {
	Round       int     `json:"round"`
	Mbps        int     `json:"mbps"` // of each replica's cable; 0: as much as comes
	Replicas    int     `json:"replicas"`
	Connections int     `json:"connections"`
	Carried     float64 `json:"carried"` // Mbit/s
	Idle        float64 `json:"idle"`    // share of the processors' time
	Failed      int     `json:"failed"`  // requests
}

// Followed is what became of one change of the replica count; its times end at a look, one every 200 ms.
type Followed struct {
	Replicas int     `json:"replicas"`
	Before   int     `json:"before"`
	LevelMs  float64 `json:"levelMs,omitempty"` // until as much was carried as they can, less a tenth; 0: not before the next change
	Carried  float64 `json:"carried"`           // Mbit/s, once the router's kernel had them
	Failed   int     `json:"failed"`            // requests, in all of that time
	Because  string  `json:"because,omitempty"` // the first failure
}

// Line is one of what the benchmark prints: exactly one of these.
type Line struct {
	Carried  *Carried  `json:"carried,omitempty"`
	Followed *Followed `json:"followed,omitempty"`
}
