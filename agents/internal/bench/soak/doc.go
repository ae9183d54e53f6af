// Package soak lets a laboratory live through everything that happens to one, again
// and again, and compares what its processes and the kernel hold at the end with
// what they held at the start. It looks from outside: at /proc, at pinned maps, at
// namespaces; only goroutines are asked for.
package soak
