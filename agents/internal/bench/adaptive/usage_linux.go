package adaptive

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// ramLimit is that of a server, as a pod has one.
const ramLimit = 64 << 20

// usageOf reads what processes have used. One that was killed uses nothing.
func usageOf(pids [nodes]int) (all [nodes]usage) {
	for node, pid := range pids {
		var at unix.Timespec
		if unix.ClockGettime(int32(^pid<<3|2), &at) != nil { // the CPU clock of another process; see clock_getcpuclockid(3)
			continue
		}
		all[node].cpu = time.Duration(at.Nano())
		var size, resident int64
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)); err == nil {
			_, _ = fmt.Sscan(string(text), &size, &resident)
		}
		all[node].ram = float64(resident*int64(os.Getpagesize())) / ramLimit
	}
	return all
}
