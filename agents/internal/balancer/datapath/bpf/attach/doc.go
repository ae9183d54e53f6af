// Package attach keeps a program where packets pass it: at the ingress of an interface with
// TCX, or with a filter of clsact on kernels without TCX (docs/decisions/0035), or in the
// driver with XDP. A program of sockets is attached to a cgroup. An attachment outlasts the process: the next one finds it and replaces the
// program in one step. It never loads a program and never changes what others attached.
package attach
