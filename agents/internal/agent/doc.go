// Package agent runs the one loop common to all roles: take the newest config,
// make the host match it, report what is really there.
//
// It owns the last good config on disk and the order of things. It knows
// neither the network (see [Link]) nor any part of the host (see [Driver]).
package agent
