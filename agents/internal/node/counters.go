package node

import "time"

// Counters are the kernel's counters of the host at one moment.
type Counters struct {
	At     time.Time
	CPU    CPUTimes
	Memory Memory
	Load   [3]float64 // over 1, 5 and 15 minutes

	Connections *Connections // nil if the kernel doesn't track connections
	Pressure    *Pressure    // nil if the kernel doesn't measure it

	Interfaces       []InterfaceCounters
	AgentMemoryBytes uint64
}

// CPUTimes are ticks since boot, summed over all CPUs.
type CPUTimes struct {
	User, System, Idle, Iowait, Steal uint64
}

// Memory is in bytes.
type Memory struct {
	Total, Available uint64
}

// Connections are those that the kernel tracks in the agent's network namespace. When as many are
// tracked as the limit allows, the kernel drops the packets of new ones.
type Connections struct {
	Tracked uint64
	Limit   uint64 // 0 is unlimited
}

// Pressure is the kernel's pressure stall information (PSI) of the host. A process stalls while it
// could run, but waits for the resource.
type Pressure struct {
	CPU, Memory, IO Stalls
}

// Stalls are microseconds since boot.
type Stalls struct {
	Some uint64 // at least one process stalled
	Full uint64 // all that weren't idle stalled at once. Not defined for the CPU of a host: one of them runs
}

// InterfaceCounters are totals since the interface was created.
type InterfaceCounters struct {
	Name     string
	Receive  Direction
	Transmit Direction
}

// Direction has the counters of one direction of an interface.
type Direction struct {
	Bytes, Packets, Errors, Drops uint64
}

// Source reads the host. Read fills counters and may reuse what is in it.
type Source interface {
	Read(counters *Counters) error
}
