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
		cpu, err := cpuOf(pid)
		if err != nil {
			continue
		}
		all[node].cpu = cpu
		var size, resident int64
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid)); err == nil {
			_, _ = fmt.Sscan(string(text), &size, &resident)
		}
		all[node].ram = float64(resident*int64(os.Getpagesize())) / ramLimit
	}
	return all
}

// cpuOf returns the CPU time of a process; 0 is this one.
func cpuOf(pid int) (time.Duration, error) {
	var at unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &at); err != nil { // its CPU clock; see clock_getcpuclockid(3)
		return 0, fmt.Errorf("read the CPU time of process %d: %w", pid, err)
	}
	return time.Duration(at.Nano()), nil
}
