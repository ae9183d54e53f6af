// Package echo measures round trips between nodes: each agent sends datagrams to others, which
// return them. It never delays or changes other packets.
//
// A balancer that selects the nearest node needs the delay between each pair of nodes, so the round
// trip to the control plane would not help, nor would those of TCP connections: only replicas of one
// load balancer have some, and delayed acknowledgements are part of their times. ICMP needs a
// privilege, and firewalls drop it more often.
//
// A datagram is as long as its reply, and only configured peers get one, so that an agent can't be
// used to multiply traffic. Silent peers get few, because an agent may report another host's address. Round trips are measured by the kernel's receive times, because a
// busy process reads its packets late: that would look like a slow network.
package echo
