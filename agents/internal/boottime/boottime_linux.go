package boottime

import (
	"time"

	"golang.org/x/sys/unix"
)

// Now is never 0.
func Now() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) // can't fail with these arguments
	return time.Duration(now.Nano())
}
