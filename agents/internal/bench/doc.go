// Package bench measures data paths: a client, two backends and one balancer pod per subject, all
// in network namespaces of this machine, on one switch. It owns both ends of the traffic, the
// configs of the peers, and the order of the rounds. It prints measurements; tools/bench compares
// them.
//
// Its clients send a request after each reply, to find the highest rate. Package load is for the latency at a
// given rate.
//
// Each end is one thread around epoll, without allocations. An expensive client would hide the cost
// of a balancer, and wrk supports neither UDP nor two destinations at once, which `direct` needs.
package bench
