// Package bgp defines what Fairlead needs of a BGP implementation: sessions with peers, advertised
// routes and received routes. It owns the interface and the validation of the desired state. The
// packages below it implement the protocol.
//
// Speaker, reflector and router use the same engine with different settings. It never changes
// kernel routes, and doesn't depend on the balancer.
package bgp
