// Package bench measures data paths: a client, two backends and one balancer pod
// per subject, all in network namespaces of this machine, on one switch. It owns
// both ends of the traffic, the configs of the peers, and the order of the rounds.
// It judges nothing: it prints what it measured, and tools/bench compares.
//
// Both ends are one thread each around epoll, without allocations. A client that
// costs much would hide what a balancer costs, and wrk knows neither UDP nor two
// destinations at once, which `direct` needs.
package bench
