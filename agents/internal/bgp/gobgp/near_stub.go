//go:build !linux

package gobgp

// raiseHops does nothing where roles of BGP don't run.
func raiseHops(int, int) error { return nil }
