//go:build !race

// Package racing says how much slower the race detector makes a test, for those
// few that look at a clock.
package racing

// Slower is what a bound of time has to be multiplied by.
const Slower = 1
