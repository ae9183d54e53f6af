// Package sockets chooses the node and the backend of each connection that starts at this node, in the
// kernel, when a process connects. It never serves a connection, never measures a node and never calculates
// a cost: package policy does, and the agent writes the result here.
//
// # Hooks
//
// The programs are attached to a cgroup of version 2, by default the root, so that they run for the sockets
// of all processes, also those of pods in their own network namespaces.
//
//	hook              sockets                      what the program does
//	connect4, 6       TCP and UDP that connect     chooses, counts the connection, replaces the destination
//	sendmsg4, 6       UDP that doesn't connect     the same for a datagram; a socket keeps a service's backend for
//	                                               as long as it sends at least once a minute
//	recvmsg4, 6       UDP                          shows the service's address as that of the sender
//	getpeername4, 6   that connected               shows the service's address as that of the peer
//	sock_release      all                          counts the connection as closed
//	sock_ops          TCP                          counts connections that end before their socket is closed, and
//	                                               connects that fail
//
// A socket of IPv6 that connects to an IPv4 service by a mapped address gets its IPv4 backends.
//
// # The choice
//
// Candidates are this node and all others with a backend, or three others at random if there are more than
// eight. The least cost wins; of equal ones this node's, and else one at random. A cost whose figures are older
// than three seconds isn't used: all such nodes together have the share of connections that their weight is
// of the candidates'. At the node, the backend with the fewest open connections for its weight is chosen, of
// all up to 16, and of two at random if there are more.
//
// A backend is skipped for a second when it rejects a connect, or when it doesn't answer a SYN for a second
// and hasn't accepted another connection meanwhile. So a lost packet isn't a failure, nor is a connect that
// its application gives up earlier. A failed connect of one process affects all, because the programs can't
// distinguish a backend that rejects from a policy that rejects one pod. Standby backends (weight 0) are chosen
// when no other can be. If all backends that are up are skipped, they are chosen nevertheless. If none is up,
// connect and sendmsg fail at once with ECONNREFUSED, as if the backend's host had rejected it.
//
// # Counts
//
// A connection is open from connect until its socket is closed or TCP's connection ends, whichever is first. A
// UDP socket that doesn't connect counts as one connection, to the backend of its last datagram. The state of a
// socket is in its own storage, so a killed process leaves nothing behind. Reconcile compares the counts
// with the sockets that exist, which takes 2 to 7 µs per socket, and corrects them.
//
// # What is in the kernel
//
// Everything is pinned below the role's folder: `sockets/link-<hook>`, `sockets/maps-<layout>`, and
// `in_flight`, which the programs of package signals write. It works without the agent, by weights once
// the costs are too old. The next agent finds places and backends in the maps and keeps their slots, so
// counts continue. If the layout of its maps is different, it begins new counts: connections of before aren't
// counted, and show the address of their backend. The maps take about 25 MiB.
//
// The table of UDP flows has room for 32,768 that don't connect, and drops the longest idle ones: their next
// datagram may go to another backend, and an answer that arrives later shows the backend's address. The same
// happens to a socket that sends to one backend by two services.
package sockets
