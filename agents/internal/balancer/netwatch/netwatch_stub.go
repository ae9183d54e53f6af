//go:build !linux

package netwatch

import "io"

// Start reports nothing.
func Start(string, func(Change)) (io.Closer, error) { return nothing{}, nil }

type nothing struct{}

func (nothing) Close() error { return nil }
