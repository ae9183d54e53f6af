// Package program has the programs of sockets in the kernel: the C headers that choose and count,
// and the code generated from them. It never decides what is in a map.
package program
