// Package lab makes a datacentre of network namespaces out of one topology: an
// upstream router, nodes, balancers in pods of their own, applications, clients
// with steady traffic. The agents in it are the real ones. While no routing
// protocol runs, the laboratory itself gives the router its next hops; while no
// control plane is named, it also is the source of backends and writes the
// balancers' configs.
//
// It owns whatever is named fl-<laboratory>-…, and leaves none of it behind. It
// never touches the host's own network.
package lab
