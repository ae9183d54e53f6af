// Package replica places the connections of services that choose by TLS session, next to the
// engine of a balancer. It loads the program that does so in the kernel (session.bpf.c),
// writes its maps, joins hellos that come in several packets or records, and finds the backend
// of connections that began at another replica. It keeps nothing before a client's hello, and
// never sees a packet after it.
package replica
