//go:build !linux

package tcx

import (
	"errors"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var errNotLinux = errors.New("tcx needs Linux; use another engine")

// Candidate returns an error that names the required system.
var Candidate = datapath.Candidate{
	Name:      "tcx",
	Preflight: func(datapath.Options) error { return errNotLinux },
	Open:      func(datapath.Options) (datapath.Engine, error) { return nil, errNotLinux },
}
