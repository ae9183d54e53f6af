// Package peer runs a third-party balancer in place of ours: it follows the same config file,
// writes the peer's own configuration, reloads it in the least disruptive way, and reports when the
// peer is ready. A draining backend is left out; the peer keeps its connections by its own means.
package peer
