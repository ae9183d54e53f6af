// Package peer runs somebody else's balancer in place of ours: it follows the
// same config file, writes the peer's own configuration, lets the peer take it
// over in the way that loses least, and says when it is ready. A backend that
// drains is left out, and the peer keeps its connections as it knows how.
package peer
