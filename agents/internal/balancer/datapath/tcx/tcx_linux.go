package tcx

import (
	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/balancer/datapath/bpf"
)

var (
	// Candidate is this engine. It measures set-up times per service, not per backend.
	Candidate = candidateOf(bpf.TCX)

	// WithClsact is this engine as it is on kernels without TCX, for tests on those that have
	// it.
	WithClsact = candidateOf(bpf.WithClsact(bpf.TCX))
)

func candidateOf(hook bpf.Hook) datapath.Candidate {
	return datapath.Candidate{
		Name:       hook.Name,
		Deliveries: hook.Deliveries,
		Preflight:  func(options datapath.Options) error { return bpf.Preflight(hook, options) },
		Detail:     hook.Point.Detail,
		Open: func(options datapath.Options) (datapath.Engine, error) {
			engine, err := bpf.Open(hook, options)
			if err != nil {
				return nil, err // never a nil engine in a non-nil interface
			}
			return engine, nil
		},
	}
}
