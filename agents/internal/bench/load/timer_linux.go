package load

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// timer sleeps to within microseconds. Sleeps of the Go runtime are rounded to a millisecond while all
// processors are idle, which would make most requests late.
type timer struct {
	fd   int
	file *os.File
	stop func() bool
}

// newTimer returns a timer that doesn't sleep after the context has ended.
func newTimer(ctx context.Context) (*timer, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("create a timer: %w", err)
	}
	t := &timer{fd: fd, file: os.NewFile(uintptr(fd), "timer")}
	t.stop = context.AfterFunc(ctx, func() { _ = t.file.SetReadDeadline(time.Unix(1, 0)) })
	return t, nil
}

// sleep returns after the duration, or when the context ends.
func (t *timer) sleep(d time.Duration) {
	if d <= 0 {
		return
	}
	if err := unix.TimerfdSettime(t.fd, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(d))}, nil); err != nil {
		time.Sleep(d) // late, which the run reports
		return
	}
	var expirations [8]byte
	_, _ = t.file.Read(expirations[:]) // fails only when the context has ended
}

func (t *timer) close() {
	t.stop()
	_ = t.file.Close()
}
