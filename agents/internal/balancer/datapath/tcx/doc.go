// Package tcx is the engine at the ingress of an interface. It needs Linux 6.8
// or newer and nothing of a pod's host. What it carries and how is in package bpf.
package tcx
