// Package nexthop writes a router's multipath routes: groups of next hops that
// are replaced as a whole, resilient ones where they are wanted and the kernel
// has them, so that a hop that comes or goes moves only the flows it has to. It
// never decides which hops there should be.
package nexthop
