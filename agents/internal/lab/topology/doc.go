// Package topology reads a lab's description: its nodes, balancers, pods, services and clients. It
// fills in defaults and rejects invalid input with errors that name the field and the fix. It touches neither
// files nor the kernel.
package topology
