// Package tcx is the engine at the ingress of an interface. It needs Linux 6.1 or newer
// and nothing from a pod's host: it is attached with TCX where the kernel has that (6.6),
// and with clsact elsewhere. Its data path is in package bpf.
package tcx
