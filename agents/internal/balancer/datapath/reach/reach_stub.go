//go:build !linux

package reach

import (
	"slices"

	"fairlead.dev/agents/internal/balancer/datapath"
)

// Mark assumes that every backend can be reached.
func Mark(services []datapath.Service) ([]datapath.Service, []datapath.Failure, error) {
	return slices.Clone(services), nil, nil
}
