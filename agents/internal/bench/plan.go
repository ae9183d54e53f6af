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
	Small Workload = "small" // one small reply after the other on persistent connections
	New   Workload = "new"   // a connection for each small reply
	Bulk  Workload = "bulk"  // 64 KiB bodies on persistent connections
	UDP   Workload = "udp"   // one datagram in each direction

	Return Workload = "return" // a connection for each small reply, which resumes its TLS session
)

// Workloads are those of data paths.
var Workloads = []Workload{Small, New, Bulk, UDP}

// Kind is the type of a subject.
type Kind string

// The kinds.
const (
	Direct Kind = "direct" // no balancer
	Hop    Kind = "hop"    // a balancer's path without a balancer
	Engine Kind = "engine"
	Peer   Kind = "peer"
)

// Plan is how long and how often to measure.
type Plan struct {
	Rounds      int
	Connections int
	Warmup, For time.Duration // of each turn
	Subjects    []string      // only these; all when empty
	Services    int           // how many services a balancer grows to
	Flows       int           // that a balancer carries while it grows
	Live        int           // number of connections for measuring the memory of each; none when 0

	path, tlsVersion string // of LoadOptions
	processors       int    // of LoadOptions
	postQuantum      bool   // of LoadOptions
}

// Check returns an error for an invalid plan.
func (p Plan) Check() error {
	switch {
	case p.Rounds < 1:
		return fmt.Errorf("--rounds is %d; give 1 or more", p.Rounds)
	case p.Connections < 1 || p.Connections > 1000:
		return fmt.Errorf("--connections is %d; give 1 to 1000", p.Connections)
	case p.Live < 0 || p.Live > 5000:
		return fmt.Errorf("--live is %d; give 0 to 5000", p.Live)
	case p.Flows < 0 || p.Flows > 8_000_000:
		return fmt.Errorf("--flows is %d; give 0 to 8000000", p.Flows)
	case p.Services < 0 || p.Services > 5000:
		return fmt.Errorf("--services is %d; give 1 to 5000", p.Services)
	case p.Warmup < 0 || p.For <= 0:
		return fmt.Errorf("--warmup is %v and --for is %v; give times, and let --for be more than nothing", p.Warmup, p.For)
	}
	return nil
}

// order is the order of a round. Each round starts with another subject, so that none always follows the same
// one or always runs on a warm machine.
func order[T any](all []T, round int) []T {
	if len(all) == 0 {
		return nil
	}
	first := round % len(all)
	return slices.Concat(all[first:], all[:first])
}

// Turn is the result of one turn of a subject. Rates cover the measured time only.
type Turn struct {
	Round    int      `json:"round"`
	Subject  string   `json:"subject"`
	Kind     Kind     `json:"kind"`
	Workload Workload `json:"workload"`
	Load
	Spent
}

// Spent is the CPU time in the measured time, in seconds.
type Spent struct {
	Balancer   float64 `json:"balancerCpuSeconds"` // the processes in its pod, without kernel work charged to other processes
	Backends   float64 `json:"backendCpuSeconds"`
	Softirq    float64 `json:"softirqCpuSeconds"` // packet processing, charged to any process
	Idle       float64 `json:"idleCpuSeconds"`
	Processors float64 `json:"processorSeconds"` // of all processors, idle included
}

// LoadedTurn is a turn during which an engine applies configs repeatedly.
type LoadedTurn struct {
	Subject  string   `json:"subject"`
	Workload Workload `json:"workload"`
	Load
	Resent
	Held uint64 `json:"held"` // first packets that waited until the other replica had their connection
}

// Cost is the cost of one packet in the program, by the kernel's statistics, that of one in an empty
// program at the same hook in the same turn, and how many instructions the kernel's verifier processed.
type Cost struct {
	Round       int     `json:"round"`
	Subject     string  `json:"subject"`
	Nanoseconds float64 `json:"nanoseconds"`
	Empty       float64 `json:"emptyNanoseconds"`
	Packets     uint64  `json:"packets"`
	Verified    uint32  `json:"verified"`
}

// Memory is the peak memory of a balancer's processes while so many connections were live, each with a reply
// in progress, minus their memory without connections.
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

// Applied is the result of applying a config.
type Applied struct {
	Subject     string  `json:"subject"`
	What        string  `json:"what"` // "grows", "changes", "shrinks"
	Loaded      bool    `json:"loaded"`
	Flows       uint64  `json:"flows"` // that the engine carried meanwhile, beside those of the load
	Changes     int     `json:"changes"`
	Seconds     float64 `json:"seconds"`
	CPUSeconds  float64 `json:"cpuSeconds"` // of the engine's process
	MemoryBytes uint64  `json:"memoryBytes"`
	KernelBytes uint64  `json:"kernelBytes"` // of its BPF maps
}

// Line is one line of output: exactly one of these.
type Line struct {
	Turn    *Turn       `json:"turn,omitempty"`
	Loaded  *LoadedTurn `json:"loaded,omitempty"`
	Cost    *Cost       `json:"cost,omitempty"`
	Memory  *Memory     `json:"memory,omitempty"`
	Applied *Applied    `json:"applied,omitempty"`
	LeftOut *LeftOut    `json:"leftOut,omitempty"`
}
