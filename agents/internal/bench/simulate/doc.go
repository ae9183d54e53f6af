// Package simulate runs balancing strategies on a simulated cluster: nodes whose cores all requests share,
// delays between nodes, and requests that enter at each node. Every subject gets the same requests with the
// same work, and a plan with the same seed gives the same figures.
//
// The subject `adaptive` decides by policy.Cost with the kernel's integer arithmetic. It knows what a node
// knows: its own connections, its own node, and the figures of other nodes, as old as the network makes them.
//
// Not modelled: memory, TCP, bandwidth, packet loss, retries, and limits of single pods.
package simulate
