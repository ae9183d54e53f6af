// Package echo measures round trips between nodes: each agent sends datagrams to others, which
// return them. It never delays or changes other packets.
//
// A datagram is as long as its reply, and only configured peers get one, so that an agent can't be
// used to multiply traffic. Round trips are measured by the kernel's receive times, because a
// busy process reads its packets late: that would look like a slow network.
package echo
