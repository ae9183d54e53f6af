package agent

import (
	"context"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Role ties a driver to the protocol.
type Role[Desired, Observed any] struct {
	Name   string
	Driver Driver[Desired, Observed]

	// Desired takes the role's part out of a config and checks it, so that a
	// config that makes no sense never reaches the driver.
	Desired func(*agentv1.NodeConfig) (Desired, error)

	// Wake asks for Woken, on the loop's own goroutine: a driver found something
	// out by itself that can't wait for the next resync, such as a backend that is
	// down. News are reported soon. What Woken can't do is tried again by the next
	// Set. Both are nil for a role that only does what it is told.
	Wake  <-chan struct{}
	Woken func(context.Context) (news bool, err error)

	// Stale asks for the config to be applied again: what Desired reads of the host, or
	// what the driver did to it, may be another thing by now. Nil for a role that can
	// wait for the next resync.
	Stale <-chan struct{}

	// Behind is told true before the first config is applied, which may be one that
	// was saved before a restart, and false once the link has given one and has no
	// newer: until then, others may know of changes that this host missed. May be nil.
	Behind func(bool)

	// Leave is called when the agent is asked to end, and then whenever it was woken or did
	// anything, until it says that the host is left: what others lean on is taken from them
	// in good order. LeaveMost bounds that, in two minutes where it is nil. Both may be nil.
	Leave     func(context.Context) (left bool, err error)
	LeaveMost func(Desired) time.Duration

	// Fill writes what was observed into a report that will be delivered.
	Fill func(Observed, *agentv1.ReportRequest)
}

// Link is the way to the control plane. Of its methods, only Run waits for it.
type Link interface {
	// Run keeps the link up until ctx ends. It returns an error only when the
	// agent has nothing to go on with.
	Run(ctx context.Context, fromRevision uint64) error
	Configs() <-chan *agentv1.NodeConfig
	Report(*agentv1.ReportRequest)
	Waiting() int // reports that nobody has answered yet
}
