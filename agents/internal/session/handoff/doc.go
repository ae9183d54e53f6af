// Package handoff gives connections that a replica places by session to a proxy in the same network namespace. It
// owns a pair of interfaces: the engine sends to one of them as to a backend, and a companion at the other one makes
// the kernel create the connection, which the proxy accepts. It never reads a connection.
package handoff
