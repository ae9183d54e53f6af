// Package bgptest is a switch with hosts on it, and engines that run there, each in a
// process of its own: what tests of everything that speaks BGP begin with.
package bgptest
