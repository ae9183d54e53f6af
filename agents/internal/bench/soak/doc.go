// Package soak repeats all kinds of changes in a lab, and compares the resources of its processes
// and the kernel at the end with those at the start. It observes from outside: /proc, pinned maps
// and namespaces; only goroutines are read from the processes.
package soak
