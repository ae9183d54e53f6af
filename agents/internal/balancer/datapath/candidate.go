package datapath

// Options are what every engine needs to know of its host.
type Options struct {
	Interface   string // where packets of clients arrive
	StateFolder string // where maps may be pinned below, under /sys/fs/bpf for BPF engines
	Name        string // of this replica, unique on the host: what an engine makes carries it
	Connections int    // how many a connection table may hold; a sane default when 0
}

// Candidate is an engine that could be chosen.
type Candidate struct {
	Name       string     // "tcx", "xdp", "ipvs", "nftables", "userspace"
	Deliveries []Delivery // best first
	Schedulers []string   // that a service may name; none: the engine has its own only

	// Preflight tries whether the host allows it, leaving nothing behind. The
	// error is one clear sentence: what is missing and the cure.
	Preflight func(Options) error

	// Open makes the engine, or takes over what a former process left running.
	Open func(Options) (Engine, error)
}

// Choice is which engine runs and why.
type Choice struct {
	Candidate Candidate
	Reason    string    // a sentence
	Refused   []Refusal // better ones that could not be had, best first
}

// Refusal is an engine that can't run here.
type Refusal struct{ Engine, Reason string }
