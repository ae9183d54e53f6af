package adaptive

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// highestPriority is a nice value: such a thread gets the CPU from usual ones when it wakes. Real-time threads would also,
// but if they wait for another one of this process that isn't, as the Go runtime does, nothing else runs for minutes.
const highestPriority = -20

// hurry gives all threads of this process priority, as if clients and lines were machines of their own.
func hurry() error {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return err
		}
		attributes := &unix.SchedAttr{Size: unix.SizeofSchedAttr, Nice: highestPriority, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
		if err := unix.SchedSetAttr(id, attributes, 0); err != nil && !errors.Is(err, unix.ESRCH) { // it may have ended
			return fmt.Errorf("raise the priority of a thread: %w", err)
		}
	}
	return nil
}
