// Package adaptive is the role of an agent whose node sends each connection to the node where one more request costs
// least. It composes the parts: programs at sockets choose (package sockets), with costs (policy) that it calculates
// from what it counts here (signals) and from what other nodes send (mesh). It never carries a packet.
//
// # Health
//
// Each node checks its own backends. If none of them is up, it sends figures with 0 cores, and the other nodes stop
// choosing it at once. So n nodes make n checks of a backend, not n². A node whose figures are missing for three
// seconds is checked by all others, because it may have failed: until then, connections that fail are retried by the
// programs' own rule.
//
// # Faults
//
// Each has an event, with the reason given here.
//
//	figures are lost, late, forged, from the future      NodeFiguresMissing, NodeFiguresForged, NodeClockWrong: the node gets
//	                                                     its weight's share once figures are too old
//	the wall clock is set                                NodeClockChanged: nothing else, because it isn't used
//	the host was suspended, or the agent stood still     NodeCostsLate: weights decide meanwhile
//	the limit of cores is another one, of either         NodeCoresChanged: costs use it at once
//	version of cgroups
//	processes wait for CPU or memory that requests       NodePressed, NodeNotPressed: the node offers down to half of its
//	don't use                                            cores, unless its config sets them
//	the kernel doesn't measure that (PSI)                NodePressureUnknown: the service time alone shows it
//	counts don't match the sockets that exist            NodeCountsWrong: they are corrected every five seconds
//	a spec is invalid, such as a backend without a node  ServiceRejected: the service continues as its last valid spec, or isn't
//	                                                     distributed
//	a service has no backend at this node                ServiceElsewhere: the others are compared
//	all nodes of a service are full                      ServiceOverloaded, then ServiceRelieved: the least cost still decides
//
// # Without the agent
//
// The programs are pinned and work by weights once costs are three seconds old. Close leaves them; only a config without
// the role removes them.
package adaptive
