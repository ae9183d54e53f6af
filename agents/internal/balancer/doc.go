// Package balancer is the role "balancer": one replica that carries packets of
// service addresses to healthy backends. It takes the whole spec out of a
// config, chooses the engine that carries it best on this host, merges what its
// own health checks find, and says what really happens.
//
// It never touches a packet itself: engines do, behind package datapath. They
// are listed in one place, see [Candidates]. All that holds an engine runs on
// the agent's loop; what finds something out elsewhere wakes that loop.
package balancer
