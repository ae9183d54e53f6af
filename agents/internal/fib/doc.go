// Package fib writes multipath routes into the kernel: groups of next hops that are
// replaced as a whole, resilient ones where they are wanted and the kernel has them, so
// that a hop that comes or goes moves only the flows it has to.
//
// It touches nothing that isn't marked as its own, finds again what a process before it
// left, and never writes a default route. It never decides which hops there should be.
package fib
