//go:build !linux

package node

import "errors"

type noSource struct{}

// NewSource returns a source that always fails.
func NewSource() Source { return noSource{} }

// Read implements [Source].
func (noSource) Read(*Counters) error {
	return errors.New("this host's counters can be read on Linux only")
}
