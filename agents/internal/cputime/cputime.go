//go:build unix

// Package cputime measures the processor time of this process, for tests that
// promise how quick something is. A clock also counts the time in which other
// programs have the processors, and CPU time doesn't. Programs that share a core
// and its caches still slow it down, so a test takes the least of several runs.
package cputime

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// Used is what this process has used so far, in all its threads.
func Used() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		panic(fmt.Sprintf("the process's own usage: %v", err)) // can't fail with these arguments
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// Of is what work takes.
func Of(work func()) time.Duration {
	began := Used()
	work()
	return Used() - began
}

// Least is the least that work takes in so many runs.
func Least(runs int, work func()) time.Duration {
	least := Of(work)
	for range runs - 1 {
		least = min(least, Of(work))
	}
	return least
}
