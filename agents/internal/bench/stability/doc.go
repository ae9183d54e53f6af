// Package stability measures the effect on connections and flows when a balancer's replica is
// removed or added: which of them the router moves needlessly, and which break. It runs in a lab
// with BGP speakers, with plain and with resilient next hops, and with our balancers or ones that
// don't share connections.
//
// The path of a flow is read from the router's kernel, by the flow's addresses and ports. A break
// is what clients saw.
package stability
