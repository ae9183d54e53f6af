package program

import (
	"time"

	"golang.org/x/sys/unix"
)

// Monotonic is the programs' clock.
func Monotonic() uint64 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // can't fail with these arguments
	return uint64(now.Nano())
}

// MonotonicAt converts a time; one in the past becomes 0.
func MonotonicAt(at time.Time) uint64 {
	left := time.Until(at)
	if left <= 0 {
		return 0
	}
	return Monotonic() + uint64(left)
}

// AgeOf is in units of the programs' clock. Packets are carried during a walk, so an
// entry may be newer than now.
func AgeOf(seen, now uint32) int32 { return int32(now - seen) }

// SeenNow is the current time as entries of flows have it.
func SeenNow() uint32 { return uint32(Monotonic() >> TcxLimitsSEEN_SHIFT) }

// Ticks converts to units of the programs' clock.
func Ticks(span time.Duration) int32 { return int32(span >> TcxLimitsSEEN_SHIFT) }

// SameTime is the tolerance for equal times from two replicas, because messages take a
// moment. No client reuses a port as soon.
const SameTime = 250 * time.Millisecond
