package freeze

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// stopsWithin allows for a busy machine, and for threads that wait for a slow disk.
const stopsWithin = 10 * time.Second

// Group sends SIGSTOP to a process group, and returns when all threads of its processes have stopped. After an
// error the group continues; it is os.ErrProcessDone if no process of the group is left.
func Group(ctx context.Context, group int) error {
	if err := stop(ctx, group); err != nil {
		_ = Thaw(group) // fails only if it has ended
		return fmt.Errorf("freeze process group %d: %w", group, err)
	}
	return nil
}

// Thaw continues a group. It is at once able to run.
func Thaw(group int) error {
	if err := send(group, unix.SIGCONT); err != nil {
		return fmt.Errorf("continue process group %d: %w", group, err)
	}
	return nil
}

func send(group int, signal unix.Signal) error {
	err := unix.Kill(-group, signal)
	if errors.Is(err, unix.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func stop(ctx context.Context, group int) error {
	ctx, cancel := context.WithTimeout(ctx, stopsWithin)
	defer cancel()
	if err := send(group, unix.SIGSTOP); err != nil {
		return err
	}
	// The signal reaches processes and threads that start meanwhile too: the kernel repeats a fork that it
	// interrupts, and a new thread stops before its first instruction.
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		running, err := findRunning(group)
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return fmt.Errorf("wait for running threads (%s): %w", cmp.Or(running, "none"), ctx.Err())
		case running == "":
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// findRunning returns a thread of the group that hasn't stopped, with its state, or nothing.
func findRunning(group int) (running string, err error) {
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return "", err
	}
	found := false
	for _, process := range processes {
		state, its, err := readStat(process)
		if err != nil || its != group {
			continue // it has ended, or is another's
		}
		found = found || !ended(state)
		// The first thread may have ended while others run.
		threads, err := filepath.Glob(process + "/task/*")
		if err != nil {
			return "", err
		}
		for _, thread := range threads {
			state, _, err := readStat(thread)
			if err != nil || ended(state) {
				continue
			}
			found = true
			if state != "T" && state != "t" { // t: by a debugger
				return fmt.Sprintf("%s (%s)", filepath.Base(thread), state), nil
			}
		}
	}
	if !found {
		return "", os.ErrProcessDone
	}
	return "", nil
}

func ended(state string) bool { return state == "Z" || state == "X" }

// readStat returns the state of a process or thread, and its process group.
func readStat(folder string) (state string, group int, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return "", 0, err
	}
	// The name in parentheses may contain anything.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 3 {
		return "", 0, fmt.Errorf("%s/stat has %d fields after the name", folder, len(fields))
	}
	group, err = strconv.Atoi(fields[2])
	return fields[0], group, err
}
