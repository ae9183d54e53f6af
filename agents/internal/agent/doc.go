// Package agent runs the loop that all roles share: receive the newest config, make the host match
// it, report the actual state.
//
// It owns the last good config on disk and the order of steps. It depends on neither the network
// (see [Link]) nor any part of the host (see [Driver]).
package agent
