// Package app is what runs in a laboratory's pods and clients: small real
// servers that answer with their own name, and steady traffic that notices
// every connection that breaks. It knows nothing of namespaces or balancers.
package app
