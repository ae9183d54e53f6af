// Package throughput measures the throughput of a service with one to four replicas, and how it
// follows a replica count that changes at random. It runs in a lab with BGP speakers: once with a
// limited link to each replica, as in a data centre, and once without limits, where the shared
// processors are the limit.
//
// Throughput is what arrives at the backends' host. Clients upload continuously, and replies bypass
// the replicas (DSR).
package throughput
