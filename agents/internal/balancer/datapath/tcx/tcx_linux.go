package tcx

import (
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
)

// Candidate is this engine. It measures set-up times per service, not per backend.
var Candidate = datapath.Candidate{
	Name:       bpf.TCX.Name,
	Deliveries: bpf.TCX.Deliveries,
	Preflight:  func(options datapath.Options) error { return bpf.Preflight(bpf.TCX, options) },
	Open: func(options datapath.Options) (datapath.Engine, error) {
		engine, err := bpf.Open(bpf.TCX, options)
		if err != nil {
			return nil, err // never a nil engine in a non-nil interface
		}
		return engine, nil
	},
}
