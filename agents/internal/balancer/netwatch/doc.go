// Package netwatch reports changes of an interface and of routes as the kernel makes them.
// It never reads what changed: its user reads the whole state again.
package netwatch
