// Package xdp is the engine in the driver of an interface, for hosts that allow
// it. What it carries and how is in package bpf; here is whether the host allows
// it, and what a host has to do for it.
//
// A veth, the interface of a pod, needs two things at its other end, which is
// the host's: an XDP program, because frames that ours sends back would else be
// lost without a trace, and no transmit checksum offload, because ours would see
// packets whose checksum nobody has computed yet.
package xdp
