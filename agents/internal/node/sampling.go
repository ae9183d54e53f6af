package node

import (
	"slices"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
)

const (
	sampleEveryDefault = 5 * time.Second
	sampleEveryLeast   = 100 * time.Millisecond
	sampleEveryMost    = 5 * time.Minute
)

// Sampling is this role's desired state: the interval, and what to exclude. The zero value means
// off.
type Sampling struct {
	On       bool
	Every    time.Duration
	Excluded []string // patterns of interface names; * matches any text
}

// ParseSampling parses the role's part of a config.
func ParseSampling(config *agentv1.NodeConfig) (Sampling, error) {
	role := config.GetNode()
	if role == nil {
		return Sampling{}, nil
	}
	every := sampleEveryDefault
	if interval := role.GetSampleIntervalMs(); interval != 0 {
		every = min(max(time.Duration(interval)*time.Millisecond, sampleEveryLeast), sampleEveryMost)
	}
	return Sampling{On: true, Every: every, Excluded: role.GetExcludedInterfaces()}, nil
}

// Excludes reports whether an interface is excluded.
func (s Sampling) Excludes(name string) bool {
	return slices.ContainsFunc(s.Excluded, func(pattern string) bool { return matchesPattern(pattern, name) })
}

// Equal compares by value.
func (s Sampling) Equal(other Sampling) bool {
	return s.On == other.On && s.Every == other.Every && slices.Equal(s.Excluded, other.Excluded)
}
