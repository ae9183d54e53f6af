package bench

import (
	"net/netip"
	"time"
)

// LoadOptions configure one client.
type LoadOptions struct {
	Targets     []netip.AddrPort // connections are spread evenly over them
	Workload    Workload
	TLS         bool // with TLS, which ends at the targets
	Processors  int  // that a client with TLS uses at most; one when 0
	Connections int
	Warmup, For time.Duration

	// Of clients that return.
	Path       string // that each client requests as long as the measurement lasts; usual clients are replaced when empty
	TLSVersion string // the newest that clients offer: "1.2" or "1.3"; that of the library when empty

	PostQuantum bool // whether clients offer a post-quantum key share, with which a hello takes two packets
}

// Load is what a client measured.
type Load struct {
	Requests   uint64  `json:"requests"`
	Failed     uint64  `json:"failed"` // wrong, interrupted or refused replies
	Lost       uint64  `json:"lost"`   // datagrams without a reply
	Late       uint64  `json:"late"`   // datagrams whose reply came after they counted as lost
	Seconds    float64 `json:"seconds"`
	P50        float64 `json:"p50Microseconds"`
	P99        float64 `json:"p99Microseconds"`
	Max        float64 `json:"maxMicroseconds"`
	CPUSeconds float64 `json:"clientCpuSeconds"`
	Because    string  `json:"because,omitempty"` // the first failure

	Returns     uint64 `json:"returns,omitempty"`     // connections of clients that had one before
	Resumed     uint64 `json:"resumed,omitempty"`     // of these, with their TLS session
	SameBackend uint64 `json:"sameBackend,omitempty"` // of these, at their backend
	LostData    uint64 `json:"lostData,omitempty"`    // returns to an application that hadn't the data of the client's session
}
