//go:build !race

// Package racing is how much slower the race detector makes a test, for the few tests that measure time.
package racing

// Slower is the factor for time limits.
const Slower = 1
