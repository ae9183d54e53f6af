// Package pump copies bytes between two connections. It owns when a buffer is held, when
// the kernel splices, and how one side's end or reset is passed on to the other. It never
// chooses or opens a connection, and it keeps no count: callers get each size.
package pump
