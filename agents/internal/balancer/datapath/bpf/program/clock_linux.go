package bpf

import (
	"time"

	"golang.org/x/sys/unix"
)

// monotonic is the programs' clock.
func monotonic() uint64 {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // can't fail with these arguments
	return uint64(now.Nano())
}

// ageOf is in units of the programs' clock. Packets are carried during a walk, so an
// entry may be newer than now.
func ageOf(seen, now uint32) int32 { return int32(now - seen) }

func seenNow() uint32 { return uint32(monotonic() >> TcxLimitsSEEN_SHIFT) }

// ticks converts to units of the programs' clock.
func ticks(span time.Duration) int32 { return int32(span >> TcxLimitsSEEN_SHIFT) }

// sameTime is the tolerance for equal times from two replicas, because messages take a
// moment. No client reuses a port as soon.
const sameTime = 250 * time.Millisecond
