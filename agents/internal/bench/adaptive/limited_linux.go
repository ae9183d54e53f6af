package adaptive

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// limitedOptions are of a process whose CPU time is limited.
type limitedOptions struct {
	Node    byte // its answer to each request
	At      []netip.Addr
	Cgroups []string
	CPU     int
	Begun   bool // in its cgroups, on its CPU
}

// begin runs this program again, with all its threads in the cgroups and on one CPU. On two, each would keep a part of
// the quota for itself.
func (o limitedOptions) begin(command string) error {
	runtime.LockOSThread()
	if err := join(o.Cgroups); err != nil {
		return err
	}
	var set unix.CPUSet
	set.Set(o.CPU)
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("select a CPU: %w", err)
	}
	o.Begun = true
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return syscall.Exec("/proc/self/exe", []string{os.Args[0], command, string(text)}, append(os.Environ(), "GOMAXPROCS=1"))
}
