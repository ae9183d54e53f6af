// Package adaptive compares strategies that place requests on nodes, with real processes and real CPU limits. Its lab has
// four nodes, each in its own network namespace and cgroup, with a delay between them. Each node has a server, which a
// CPU quota limits, clients, and an agent with the role `adaptive`. Every request has its own connection, because that is
// what strategies place.
//
// Strategies that aren't in the kernel choose in the clients' process, which costs less than a proxy would.
package adaptive
