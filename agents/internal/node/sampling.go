package node

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/node/echo"
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
	Echo     echo.Spec
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
	spec, err := parseEcho(role.GetEcho())
	if err != nil {
		return Sampling{}, err
	}
	return Sampling{On: true, Every: every, Excluded: role.GetExcludedInterfaces(), Echo: spec}, nil
}

// echoPeersMost bounds what an agent sends each second, and its series.
const echoPeersMost = 32

func parseEcho(role *agentv1.EchoRole) (echo.Spec, error) {
	spec := echo.Spec{Self: role.GetAgentId()}
	if len(role.GetPeers()) > echoPeersMost {
		return echo.Spec{}, fmt.Errorf("%d peers to measure round trips to are too many; give at most %d", len(role.GetPeers()), echoPeersMost)
	}
	for _, peer := range role.GetPeers() {
		address, err := netip.ParseAddrPort(peer.GetAddress())
		if err != nil {
			return echo.Spec{}, fmt.Errorf("peer %s: %q is not an address with a port", peer.GetAgentId(), peer.GetAddress())
		}
		spec.Peers = append(spec.Peers, echo.Peer{Agent: peer.GetAgentId(), Node: peer.GetNodeId(), Address: address})
	}
	return spec, nil
}

// Excludes reports whether an interface is excluded.
func (s Sampling) Excludes(name string) bool {
	return slices.ContainsFunc(s.Excluded, func(pattern string) bool { return matchesPattern(pattern, name) })
}

// Equal compares by value.
func (s Sampling) Equal(other Sampling) bool {
	return s.samplesLike(other) && s.Echo.Equal(other.Echo)
}

// samplesLike reports whether the sampler can go on.
func (s Sampling) samplesLike(other Sampling) bool {
	return s.On == other.On && s.Every == other.Every && slices.Equal(s.Excluded, other.Excluded)
}
