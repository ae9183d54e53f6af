// Package bgp says what Fairlead asks of a BGP implementation: sessions with peers, the
// routes that are offered to them and the routes that they offer. It owns the contract
// and the check of what is asked; the packages below it speak.
//
// Speaker, reflector and router are the same engine, asked for different things. It never
// touches the kernel's routes, and knows nothing of balancers.
package bgp
