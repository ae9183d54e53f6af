// Package clients estimates which client networks send the most to a service. It samples packets on
// the balancer's interface with a packet socket, and aggregates them by /24 and /48 over the last
// minute. No socket is open while no service is sampled.
//
// The cost is limited whatever the traffic: the kernel selects one of N packets at random, and N
// adapts so that about a thousand packets a second are read. Packets that the kernel drops because
// its small buffer is full are part of the estimate, as if they were like those that were read.
//
// Only packets to a service are counted, in bytes of the frame; replies aren't. Merged segments
// (GRO) count as one frame, as the engine tcx counts them. A later fragment has no ports: it counts
// to the only service of its address and protocol, if there is one. Of IPv6 extension headers, four
// are read. Tagged frames belong to the VLAN's own interface, and frames that this host sends to
// itself, such as probes, aren't a client's.
//
// A packet socket doesn't see packets that an XDP program takes.
package clients
