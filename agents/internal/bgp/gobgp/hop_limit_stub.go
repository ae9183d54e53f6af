//go:build !linux

package gobgp

// setListenerHops does nothing on systems without BGP roles.
func setListenerHops(int, int) error { return nil }
