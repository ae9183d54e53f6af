// Package session has the contract of sessions at layer 4, tested with real servers between
// network namespaces: clients return to the backend that has their TLS session, and no
// balancer ends TLS or TCP. The parts are in the packages below: cookie, message, replica
// and companion. docs/decisions/0040 says why.
package session
