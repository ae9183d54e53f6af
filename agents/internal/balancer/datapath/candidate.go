package datapath

import (
	"context"
	"net"
)

// Options describe the host of an engine.
type Options struct {
	Interface   string // where packets of clients arrive
	StateFolder string // folder below which maps may be pinned, under /sys/fs/bpf for BPF engines
	Name        string // of this replica, unique on the host; names what an engine creates
	Connections int    // capacity of the connection table; default when 0

	// Dial is how a proxy connects to backends with TCP; nil: from the network namespace of this process.
	Dial func(ctx context.Context, network, address string) (net.Conn, error) `json:"-"`
}

// Candidate is an engine that can be chosen.
type Candidate struct {
	Name       string     // "tcx", "xdp", "ipvs", "nftables", "userspace"
	Deliveries []Delivery // best first
	Schedulers []string   // that a service may request; none: only the engine's own
	BeforeTaps bool       // takes packets before a packet socket sees them

	// Preflight tests whether the host supports the engine, without leaving anything
	// behind. The error is one clear sentence: what is missing and how to fix it.
	Preflight func(Options) error

	// Detail is how it runs on this kernel, as a sentence; nil: nothing to add.
	Detail func() string

	// Open creates the engine, or takes over what a former process left running.
	Open func(Options) (Engine, error)
}

// Choice is which engine runs and why.
type Choice struct {
	Candidate Candidate
	Reason    string    // a sentence
	Refused   []Refusal // better engines that aren't available, best first
	Partly    bool      // no engine carries all services, and this one the most
}

// Refusal is an engine that can't run here.
type Refusal struct{ Engine, Reason string }
