// Package userspace is the engine for hosts whose kernel can't help: it listens
// on service addresses itself and copies bytes between two connections, or
// datagrams between two sockets. It works everywhere and costs the most. Backends
// see this replica's address, unless they speak the PROXY protocol; connections
// end with the process, and no other replica can take them over. The kernel puts
// fragments together before they come here.
package userspace
