package agent

import (
	"context"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

// Role connects a driver to the protocol.
type Role[Desired, Observed any] struct {
	Name   string
	Driver Driver[Desired, Observed]

	// Desired parses and validates the role's part of a config, so that an invalid config never
	// reaches the driver.
	Desired func(*agentv1.NodeConfig) (Desired, error)

	// Wake requests a call of Woken on the loop's goroutine: the driver detected a change that
	// can't wait for the next resync, such as a backend that is down. A true result is reported
	// soon. The next Set retries what Woken could not do. Both are nil for a role that only applies
	// configs.
	Wake  <-chan struct{}
	Woken func(context.Context) (news bool, err error)

	// Stale requests that the config is applied again: the host's state that Desired reads, or what
	// the driver applied, may have changed. Nil for a role that can wait for the next resync.
	Stale <-chan struct{}

	// Behind is called with true before the first config is applied, which may be a saved one, and
	// with false when the link has delivered a config and has no newer one: until then, this host
	// may have missed changes. May be nil.
	Behind func(bool)

	// Leave is called when the agent has to stop, and then after each event, until it returns
	// true: the role withdraws what other hosts depend on. LeaveMost limits the time, with two
	// minutes if it is nil. Both may be nil.
	Leave     func(context.Context) (left bool, err error)
	LeaveMost func(Desired) time.Duration

	// Fill writes the observed state into a report.
	Fill func(Observed, *agentv1.ReportRequest)
}

// Link is the connection to the control plane. Only Run blocks.
type Link interface {
	// Run keeps the link connected until ctx ends. It returns an error only for a permanent
	// failure.
	Run(ctx context.Context, fromRevision uint64) error
	Configs() <-chan *agentv1.NodeConfig
	Report(*agentv1.ReportRequest)
	Waiting() int // reports without an acknowledgement
}
