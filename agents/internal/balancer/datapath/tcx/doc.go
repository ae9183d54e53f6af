// Package tcx is the engine at the ingress of an interface. It needs Linux 6.8 or newer
// and nothing from a pod's host. Its data path is in package bpf.
package tcx
