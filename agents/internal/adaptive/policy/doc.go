// Package policy computes what one more request costs at each node: the time that it waits, and
// that others wait because of it. Cost is that in the form in which the kernel adds its own counters.
// It does no input or output, and takes no time of its own.
//
// Figures come from other nodes, so no input may make a cost NaN, negative or so large that the
// kernel's arithmetic overflows.
package policy
