// Package stability measures what connections and flows suffer when a replica of a
// balancer goes or comes: which of them the router sends elsewhere although it need not,
// and which break. It runs in a laboratory where speakers tell the router by BGP, with
// plain and with resilient next hops, and behind them our balancers or such as know
// nothing of each other's connections.
//
// Where a flow goes is the router's kernel's own answer, asked with the flow's addresses
// and ports. What broke is what clients saw.
package stability
