//go:build !linux

package nftables

import (
	"errors"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var errLinux = errors.New("nftables needs Linux; use another engine")

// Candidate is this engine, which isn't available here.
func Candidate() datapath.Candidate {
	return datapath.Candidate{
		Name: "nftables", Deliveries: []datapath.Delivery{datapath.Direct, datapath.NAT},
		Preflight: func(datapath.Options) error { return errLinux },
		Open:      func(datapath.Options) (datapath.Engine, error) { return nil, errLinux },
	}
}
