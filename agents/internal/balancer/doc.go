// Package balancer is the role "balancer": one replica that carries packets of service
// addresses to healthy backends. It parses the spec out of a config, chooses the engine
// that carries it best on this host, merges the results of its own health checks, and
// reports the observed state.
//
// It never touches a packet itself: engines do, behind package datapath. They are listed
// in one place, see [Candidates]. All that holds an engine runs on the agent's loop;
// other goroutines wake that loop when they have results.
package balancer
