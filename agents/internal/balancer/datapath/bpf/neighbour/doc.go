// Package neighbour is the kernel's view of the paths from a replica: its interface, next
// hops, link addresses, and the source ports that are left for NAT. Its sockets are in the
// network namespace in which it was opened. It solicits link addresses and sends frames only
// when it is called, and never changes a route.
package neighbour
