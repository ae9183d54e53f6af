// Package tcpdrops reads how many TCP packets the kernel dropped: packets with a wrong password,
// and packets from too far away. BGP never receives them, so it can't report them. The counters
// belong to this network namespace; the package changes nothing.
package tcpdrops
