// Package serverstest runs real TLS servers on the loopback address for tests of sessions: nginx,
// HAProxy, Envoy, Node and openssl. A program that is missing fails a test in CI, and skips it elsewhere with a
// reason. The product doesn't use this package.
package serverstest
