//go:build !linux

package ipvs

import (
	"errors"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var errLinux = errors.New("ipvs needs Linux; use another engine")

// Candidate is this engine, which isn't available here.
func Candidate() datapath.Candidate {
	return datapath.Candidate{
		Name: "ipvs", Deliveries: []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.NAT},
		Preflight: func(datapath.Options) error { return errLinux },
		Open:      func(datapath.Options) (datapath.Engine, error) { return nil, errLinux },
	}
}
