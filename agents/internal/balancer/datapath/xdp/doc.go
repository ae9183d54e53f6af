// Package xdp is the engine in an interface's driver, for hosts that allow it. Its data
// path is in package bpf; this package checks whether the host allows it, and prepares a
// host.
//
// A veth, the interface of a pod, needs two things at its other end, on the host: an XDP
// program, because frames that this engine sends back would otherwise be lost silently,
// and no transmit checksum offload, because the engine would receive packets without a
// computed checksum.
package xdp
