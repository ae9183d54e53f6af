package netwatch

import (
	"io"
	"time"
)

// Watch is a subscription.
type Watch interface {
	io.Closer

	// Err returns why it ended by itself, or nil.
	Err() error
}

// Change is what changed.
type Change struct {
	Interface bool // it was replaced, or its link address, MTU, state or addresses changed
	Routes    bool // of any destination
}

// A change often consists of several messages, such as the removal of an address and the
// addition of another: they are reported together once none follows for settle, and
// after settleMost at the latest.
const (
	settle     = 50 * time.Millisecond
	settleMost = 300 * time.Millisecond
)
