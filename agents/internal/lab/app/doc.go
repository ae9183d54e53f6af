// Package app runs in a lab's pods and clients: small real servers that return their own name, and
// steady traffic that detects every broken connection. It does not depend on namespaces or balancers.
package app
