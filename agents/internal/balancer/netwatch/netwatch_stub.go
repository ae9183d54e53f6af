//go:build !linux

package netwatch

// Start reports nothing.
func Start(string, func(Change)) (Watch, error) { return nothing{}, nil }

type nothing struct{}

func (nothing) Close() error { return nil }

func (nothing) Err() error { return nil }
