// Package fib writes multipath routes into the kernel. It uses next-hop groups that are replaced as
// a whole, resilient ones where requested and supported, so that adding or removing a hop moves as
// few flows as possible.
//
// It changes only objects marked as its own, adopts those of a previous process, and never writes a
// default route. It doesn't decide which next hops to use.
package fib
