//go:build !linux

package xdp

import (
	"errors"

	"fairlead.dev/agents/internal/balancer/datapath"
)

var errNotLinux = errors.New("xdp needs Linux; use another engine")

// Candidate returns an error that names the required system.
var Candidate = datapath.Candidate{
	Name:      "xdp",
	Preflight: func(datapath.Options) error { return errNotLinux },
	Open:      func(datapath.Options) (datapath.Engine, error) { return nil, errNotLinux },
}
