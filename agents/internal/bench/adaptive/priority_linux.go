package adaptive

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// highestPriority is a nice value. Real-time threads would have priority, too, but if they wait for another one of this
// process that isn't, as the Go runtime does, nothing else runs for minutes.
const highestPriority = -20

// shortestSlice is how long such a thread runs before others do. Since Linux 6.12, one with a shorter slice than the thread
// that runs gets the CPU as soon as it wakes. Before that it may wait a few milliseconds.
const shortestSlice = 100 * time.Microsecond

// hurry gives all threads of this process priority, as if clients and lines were machines of their own. The process must
// have a session of its own: where the kernel groups threads by session, their priority only counts within it.
func hurry() error {
	session := os.WriteFile("/proc/self/autogroup", []byte(strconv.Itoa(highestPriority)), 0)
	if session != nil && !errors.Is(session, os.ErrNotExist) {
		return fmt.Errorf("raise the priority of a session: %w", session)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return err
	}
	for _, thread := range threads {
		id, err := strconv.Atoi(thread.Name())
		if err != nil {
			return err
		}
		attributes := &unix.SchedAttr{
			Size: unix.SizeofSchedAttr, Nice: highestPriority, Runtime: uint64(shortestSlice), Flags: unix.SCHED_FLAG_RESET_ON_FORK,
		}
		if err := unix.SchedSetAttr(id, attributes, 0); err != nil && !errors.Is(err, unix.ESRCH) { // it may have ended
			return fmt.Errorf("raise the priority of a thread: %w", err)
		}
	}
	return nil
}
