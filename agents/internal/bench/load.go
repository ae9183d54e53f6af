package bench

import (
	"net/netip"
	"time"
)

// LoadOptions are of one client.
type LoadOptions struct {
	Targets     []netip.AddrPort // connections are spread evenly over them
	Workload    Workload
	TLS         bool // it ends where the targets are
	Connections int
	Warmup, For time.Duration
}

// Load is what a client saw.
type Load struct {
	Requests   uint64  `json:"requests"`
	Failed     uint64  `json:"failed"` // answers that were wrong, broken off or refused
	Lost       uint64  `json:"lost"`   // datagrams without an answer
	Late       uint64  `json:"late"`   // datagrams whose answer came when nobody waited for it any more
	Seconds    float64 `json:"seconds"`
	P50        float64 `json:"p50Microseconds"`
	P99        float64 `json:"p99Microseconds"`
	CPUSeconds float64 `json:"clientCpuSeconds"`
	Because    string  `json:"because,omitempty"` // the first failure
}
