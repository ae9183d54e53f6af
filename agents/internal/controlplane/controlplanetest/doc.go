// Package controlplanetest is a control plane for tests: the real protocol over real TLS and HTTP/2, on an
// in-memory network that can be cut and frozen. It uses no sockets, so tests run it inside testing/synctest,
// where forty-five seconds of silence take no time.
package controlplanetest
