// Package netspace makes network namespaces, links between them, and runs code
// and processes inside. It knows nothing of balancers; the lab and the tests of
// everything that touches the kernel stand on it.
package netspace
