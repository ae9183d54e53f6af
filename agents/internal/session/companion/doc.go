// Package companion runs next to a server whose clients return by TLS session. It loads the
// program that creates connections from hellos (companion.bpf.c) into the server's network
// namespace, answers replicas who ask for connections, and reports the TLS 1.2 sessions that
// the server began. It never changes the server, and reads nothing that is encrypted.
package companion
