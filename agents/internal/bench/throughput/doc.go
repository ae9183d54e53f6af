// Package throughput measures how much a service carries with one replica, two, three and
// four, and how what it carries follows a replica count that changes by chance. It runs in
// a laboratory where speakers tell the router by BGP: once with a cable to each replica
// that bounds what one carries, as in a datacentre, and once with none, where the
// processors that all of it shares do.
//
// What is carried is what arrives at the host of the backends. Clients never stop
// uploading, and answers don't pass the replicas.
package throughput
