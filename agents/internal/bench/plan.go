package bench

import (
	"fmt"
	"slices"
	"time"
)

// Workload is a kind of traffic.
type Workload string

// The workloads.
const (
	Small Workload = "small" // one small answer after the other on connections that stay
	New   Workload = "new"   // a connection for each small answer
	Bulk  Workload = "bulk"  // 64 KiB bodies on connections that stay
	UDP   Workload = "udp"   // one datagram there and back
)

// Workloads are all of them.
var Workloads = []Workload{Small, New, Bulk, UDP}

// Kind says whose a subject is.
type Kind string

// The kinds.
const (
	Direct Kind = "direct" // no balancer at all
	Hop    Kind = "hop"    // a balancer's way without a balancer
	Engine Kind = "engine"
	Peer   Kind = "peer"
)

// Plan is how long and how often to measure.
type Plan struct {
	Rounds      int
	Connections int
	Warmup, For time.Duration // of each turn
	Subjects    []string      // only these; all when empty
	Services    int           // how many a balancer grows to
	Live        int           // connections by which the memory of each is measured; none when 0
}

// Check says what is wrong.
func (p Plan) Check() error {
	switch {
	case p.Rounds < 1:
		return fmt.Errorf("--rounds is %d; give 1 or more", p.Rounds)
	case p.Connections < 1 || p.Connections > 1000:
		return fmt.Errorf("--connections is %d; give 1 to 1000", p.Connections)
	case p.Live < 0 || p.Live > 5000:
		return fmt.Errorf("--live is %d; give 0 to 5000", p.Live)
	case p.Services < 0 || p.Services > 5000:
		return fmt.Errorf("--services is %d; give 1 to 5000", p.Services)
	case p.Warmup < 0 || p.For <= 0:
		return fmt.Errorf("--warmup is %v and --for is %v; give times, and let --for be more than nothing", p.Warmup, p.For)
	}
	return nil
}

// order is that of a round: each begins with another, so that nobody always
// comes after the same one, or always when the machine is warm.
func order[T any](all []T, round int) []T {
	if len(all) == 0 {
		return nil
	}
	first := round % len(all)
	return slices.Concat(all[first:], all[:first])
}

// Turn is what one turn of a subject yielded. Rates are of the measured time alone.
type Turn struct {
	Round    int      `json:"round"`
	Subject  string   `json:"subject"`
	Kind     Kind     `json:"kind"`
	Workload Workload `json:"workload"`
	Load
	Spent
}

// Spent is what processors did in the measured time, in seconds.
type Spent struct {
	Balancer   float64 `json:"balancerCpuSeconds"` // the processes in its pod; what the kernel does in the name of others is not in it
	Backends   float64 `json:"backendCpuSeconds"`
	Softirq    float64 `json:"softirqCpuSeconds"` // packets on their way, in whose name ever
	Idle       float64 `json:"idleCpuSeconds"`
	Processors float64 `json:"processorSeconds"` // all of it, of all processors
}

// LoadedTurn is one while an engine applies again and again.
type LoadedTurn struct {
	Subject  string   `json:"subject"`
	Workload Workload `json:"workload"`
	Load
	Resent
	Held uint64 `json:"held"` // first packets that waited until the other replica knew their connection
}

// Cost is what one packet cost in the program, by the kernel's own statistics.
type Cost struct {
	Round       int     `json:"round"`
	Subject     string  `json:"subject"`
	Nanoseconds float64 `json:"nanoseconds"`
	Packets     uint64  `json:"packets"`
}

// Memory is what the processes of a balancer had at most while so many connections
// were live and each had an answer under way, beyond what they had without any.
type Memory struct {
	Subject     string `json:"subject"`
	Connections int    `json:"connections"`
	Bytes       uint64 `json:"bytes"`
}

// LeftOut is a subject that can't run here.
type LeftOut struct {
	Subject string `json:"subject"`
	Reason  string `json:"reason"`
}

// Applied is how a config was applied.
type Applied struct {
	Subject     string  `json:"subject"`
	What        string  `json:"what"` // "grows", "changes", "shrinks"
	Loaded      bool    `json:"loaded"`
	Changes     int     `json:"changes"`
	Seconds     float64 `json:"seconds"`
	CPUSeconds  float64 `json:"cpuSeconds"` // of the engine's process
	MemoryBytes uint64  `json:"memoryBytes"`
	KernelBytes uint64  `json:"kernelBytes"` // of its BPF maps
}

// Line is one of what the benchmark prints: exactly one of these.
type Line struct {
	Turn    *Turn       `json:"turn,omitempty"`
	Loaded  *LoadedTurn `json:"loaded,omitempty"`
	Cost    *Cost       `json:"cost,omitempty"`
	Memory  *Memory     `json:"memory,omitempty"`
	Applied *Applied    `json:"applied,omitempty"`
	LeftOut *LeftOut    `json:"leftOut,omitempty"`
}
