//go:build !linux

package ipvs

import (
	"errors"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var errLinux = errors.New("ipvs: is a part of Linux; run the agent there")

// Candidate is this engine, which can't be had here.
func Candidate() datapath.Candidate {
	return datapath.Candidate{
		Name: "ipvs", Deliveries: []datapath.Delivery{datapath.Direct, datapath.Tunnel, datapath.NAT},
		Preflight: func(datapath.Options) error { return errLinux },
		Open:      func(datapath.Options) (datapath.Engine, error) { return nil, errLinux },
	}
}
