//go:build !linux

package node

import (
	"errors"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

type noFacts struct{}

// NewFacts returns facts that always fail.
func NewFacts() Facts { return noFacts{} }

// Gather implements [Facts].
func (noFacts) Gather(func(string) bool) (*agentv1.NodeFacts, error) {
	return nil, errors.New("this host's facts can be read on Linux only")
}
