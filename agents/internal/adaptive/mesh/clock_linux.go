package mesh

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// sinceBoot also advances while the host is suspended, unlike Go's clock. Data paths read the same one.
func sinceBoot() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &now); err != nil {
		panic(fmt.Sprintf("read the clock: %v", err)) // can't fail with these arguments
	}
	return time.Duration(now.Nano())
}
