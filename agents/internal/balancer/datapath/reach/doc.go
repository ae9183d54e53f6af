// Package reach finds backends that the kernel has no path to. It is for engines whose
// packets the kernel routes: it accepts any backend and drops the packets later. It never
// changes anything.
package reach
