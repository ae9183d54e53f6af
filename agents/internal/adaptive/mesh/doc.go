// Package mesh sends policy.Figures of this node to its peers, and keeps the newest ones of theirs.
//
// Each receiver gets its own figures 20 times a second, in UDP datagrams that are signed with a key of
// the cluster, and only valid between these two nodes. More than 32 nodes take turns, so that a node
// never sends to more than 31 peers at once.
//
// Wall clocks don't matter. A datagram has the time by its sender's clock since boot, and returns the
// newest time that the sender got from the receiver, with how long ago that was. So the receiver knows
// by its own clock the earliest moment at which the datagram can have been sent, and figures are never
// older than their stated age. A datagram that returns no time of this process, such as one recorded
// before a restart, is only a hello: it starts the exchange, and its figures aren't used. Until a
// peer replies it gets hellos, not figures, because its agent may report another host's address.
//
// The same times give the round trip: from when this node wrote a datagram until one that returns its time arrived,
// without how long the peer held it. The kernel's times of arrival count, so a busy agent doesn't look far away.
//
// A lost datagram is harmless: the next one has newer figures of the same services. [Reason] lists
// what happens with the others.
package mesh
