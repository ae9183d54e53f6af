package throughput

// Carried is the throughput of a number of replicas.
type Carried struct {
	Round       int     `json:"round"`
	Mbps        int     `json:"mbps"` // of each replica's cable; 0: unlimited
	Replicas    int     `json:"replicas"`
	Connections int     `json:"connections"`
	Carried     float64 `json:"carried"` // Mbit/s
	Idle        float64 `json:"idle"`    // share of the CPU time
	Failed      int     `json:"failed"`  // requests
}

// Followed is the result of one change of the replica count; its times end at a reading, one every 200 ms.
type Followed struct {
	Replicas int     `json:"replicas"`
	Before   int     `json:"before"`
	LevelMs  float64 `json:"levelMs,omitempty"` // until the throughput was within a tenth of the replicas' capacity; 0: not before the next change
	Carried  float64 `json:"carried"`           // Mbit/s, once the router's kernel had them
	Failed   int     `json:"failed"`            // requests, in that time
	Because  string  `json:"because,omitempty"` // the first failure
}

// Line is one line of output: exactly one of these.
type Line struct {
	Carried  *Carried  `json:"carried,omitempty"`
	Followed *Followed `json:"followed,omitempty"`
}
