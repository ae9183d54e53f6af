// Package bgptest provides a switch with hosts, and engines on them, each in its own process. It is
// shared by the tests of all packages that use BGP.
package bgptest
