// Package diag reads by netlink what eBPF programs keep with each socket, on kernels that refuse the programs which would
// list sockets. It asks each network namespace for all of its sockets, so it takes longer than such a program.
package diag
