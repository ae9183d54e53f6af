package xdp

import (
	"fmt"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
)

// Candidate is this engine. It measures set-up times per service, not per backend.
var Candidate = datapath.Candidate{
	Name:       bpf.XDP.Name,
	Deliveries: bpf.XDP.Deliveries,
	BeforeTaps: true,
	Preflight:  preflight,
	Open: func(options datapath.Options) (datapath.Engine, error) {
		engine, err := bpf.Open(bpf.XDP, options)
		if err != nil {
			return nil, err // never a nil engine in a non-nil interface
		}
		return engine, nil
	},
}

func preflight(options datapath.Options) error {
	if err := checkPeer(options.Interface); err != nil {
		return fmt.Errorf("xdp would lose packets here: %w", err)
	}
	return bpf.Preflight(bpf.XDP, options)
}
