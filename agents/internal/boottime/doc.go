// Package boottime is the clock of the host since it started. Unlike Go's, it also advances while the host is
// suspended, and programs in the kernel read the same one.
package boottime
