// Package controlplanetest is a control plane for tests: the real protocol over
// real TLS and HTTP/2, on a network made of memory that can be cut and frozen.
// Because nothing in it touches a socket, tests run it inside testing/synctest,
// where forty-five seconds of silence take no time.
package controlplanetest
