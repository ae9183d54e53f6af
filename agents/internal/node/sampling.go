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

// Sampling is what this role desires: how often to look, and at what not. The
// zero value is the role switched off.
type Sampling struct {
	On       bool
	Every    time.Duration
	Excluded []string // patterns of interface names, where * stands for any text
}

// ParseSampling takes the role's part out of a config.
func ParseSampling(config *agentv1.NodeConfig) (Sampling, error) {
	role := config.GetNode()
	if role == nil {
		return Sampling{}, nil
	}
	every := sampleEveryDefault
	if asked := role.GetSampleIntervalMs(); asked != 0 {
		every = min(max(time.Duration(asked)*time.Millisecond, sampleEveryLeast), sampleEveryMost)
	}
	return Sampling{On: true, Every: every, Excluded: role.GetExcludedInterfaces()}, nil
}

// Excludes says whether an interface is none of our business.
func (s Sampling) Excludes(name string) bool {
	return slices.ContainsFunc(s.Excluded, func(pattern string) bool { return matchesPattern(pattern, name) })
}

// Equal compares by value.
func (s Sampling) Equal(other Sampling) bool {
	return s.On == other.On && s.Every == other.Every && slices.Equal(s.Excluded, other.Excluded)
}
