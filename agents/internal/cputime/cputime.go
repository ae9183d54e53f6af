//go:build unix

// Package cputime measures the CPU time of this process, for tests that promise a speed. Elapsed time
// includes the time in which other programs use the CPUs; CPU time doesn't. Programs that share a core and
// its caches still slow it down, so a test takes the minimum of several runs.
package cputime

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Used is the CPU time of all threads of this process so far.
func Used() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		panic(fmt.Sprintf("the process's own usage: %v", err)) // can't fail with these arguments
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Of is the CPU time of a function.
func Of(work func()) time.Duration {
	began := Used()
	work()
	return Used() - began
}

// Least is the minimum CPU time of several runs.
func Least(runs int, work func()) time.Duration {
	least := Of(work)
	for range runs - 1 {
		least = min(least, Of(work))
	}
	return least
}
