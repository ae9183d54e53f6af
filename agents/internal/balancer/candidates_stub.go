//go:build !linux

package balancer

import "fairlead.dev/agents/internal/balancer/datapath"

// Candidates returns none: the engines are for Linux.
func Candidates() []datapath.Candidate { return nil }
