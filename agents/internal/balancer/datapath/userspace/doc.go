// Package userspace is the engine for hosts whose kernel supports no other: it listens on
// service addresses itself and copies bytes between two connections, or datagrams between
// two sockets. It works everywhere and costs the most. Backends see this replica's
// address, unless they support the PROXY protocol; connections end with the process, and
// no other replica can take them over. The kernel reassembles fragments first.
//
// The number of open TCP connections is limited. Half of it is divided evenly among the
// services and kept for them, so a flood of one service doesn't keep out clients of the
// others. Any service may use the other half.
package userspace
