package adaptive

import (
	"net/netip"
	"time"
)

// turnOrder is a turn of the clients of one node.
type turnOrder struct {
	Subject     string
	Over        transport
	Start       time.Time
	Warmup, For time.Duration
	Users       int
	Rate        float64        // per second
	SurgeAfter  time.Duration  // since then there are surgeBy times as many; 0: never
	Service     netip.AddrPort // where the kernel chooses
	Servers     [nodes]int     // PIDs
	Seed        uint64
}

// turnResult has what was due after the warm-up.
type turnResult struct {
	Due      []uint32 // µs since the start, of each request that was answered
	Took     []uint32 // µs from then to its answer
	Node     []int    // that served it
	Failures []failure
	Late     []uint32 // µs from when a request was due until it was sent
}

type failure struct {
	Due    uint32 // µs since the start
	Reason string
}

func micros(d time.Duration) uint32 { return uint32(max(d, 0) / time.Microsecond) }
