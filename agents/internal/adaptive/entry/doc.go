// Package entry places connections that arrive at a balancer of this node, by the costs that package sockets uses for those
// that start here. It loads the program that does so in the kernel (entry.bpf.c) next to the engine of a balancer, and sets
// which backend of the engine is which one of the costs. It never calculates a cost, and never sees a packet.
//
// # Without costs
//
// The maps are those of this node's agent of the role adaptive. While there are none, or of another version's layout, the
// engine draws backends by weights. Costs that are too old have the effect that they have at sockets.
//
// # Counts
//
// A connection is open from its first packet until its client sends FIN or RST; with NAT, until both sides have sent FIN,
// or one RST. Those that end unseen are found by Reconcile. What is counted is in the map entry_flows, for 65,536
// connections of a node: more are placed, but not counted. Datagrams show no end, so flows of UDP are only counted until
// the next figures, which include them.
package entry
