// Package lab builds a data centre of network namespaces from one topology: an upstream router, nodes,
// balancers in their own pods, applications, and clients with steady traffic. The agents are the real ones.
// Without a routing protocol, the lab itself sets the router's next hops. Without a control plane, it
// also supplies the backends and writes the balancers' configs.
//
// It owns everything named fl-<lab>-… and removes all of it at the end. It never touches the host's
// own network.
package lab
