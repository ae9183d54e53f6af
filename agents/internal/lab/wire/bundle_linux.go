package wire

import (
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// Bundle forwards the frames of many lines on one thread, which looks at all of them once in each period. A frame then
// costs a fraction of the CPU time that it does with a thread for each direction, but may arrive two periods late.
type Bundle struct {
	Lines  []*Line // in the order of their ends
	period time.Duration
	stop   int // an eventfd
	done   sync.WaitGroup
}

// OpenBundle starts to forward frames between the interfaces of each pair. Its thread exists when it returns, so that the
// priority of all threads of the process can be changed.
func OpenBundle(space *netspace.Space, ends [][2]string, period time.Duration) (*Bundle, error) {
	b := &Bundle{period: period}
	for _, pair := range ends {
		l, err := newLine(space, pair[0], pair[1])
		if err != nil {
			b.closeSockets()
			return nil, err
		}
		b.Lines = append(b.Lines, l)
	}
	var err error
	if b.stop, err = newStop(); err != nil {
		b.closeSockets()
		return nil, err
	}
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1) // see pause
	b.done.Add(1)
	isRunning := make(chan struct{})
	go b.carry(isRunning)
	<-isRunning
	return b, nil
}

// carry serves all directions. While no frame is under way, it waits for one.
func (b *Bundle) carry(isRunning chan<- struct{}) {
	defer b.done.Done()
	runtime.LockOSThread() // and never unlocked: the timer slack below is per thread
	close(isRunning)
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1000, 0, 0, 0)
	polled := []unix.PollFd{{Fd: int32(b.stop), Events: unix.POLLIN}}
	for _, l := range b.Lines {
		for _, socket := range l.sockets {
			polled = append(polled, unix.PollFd{Fd: int32(socket), Events: unix.POLLIN})
		}
	}
	queues, scratch := make([]queue, 2*len(b.Lines)), make([]byte, mostFrame)
	for isIdle := true; ; {
		if isIdle {
			_, _ = unix.Ppoll(polled, nil, nil) // an interrupted wait is harmless
		} else {
			pause(&polled[0], b.period)
		}
		if polled[0].Revents != 0 {
			return
		}
		isIdle = true
		for i := range queues {
			l, from, q := b.Lines[i/2], i%2, &queues[i]
			l.read(l.sockets[from], scratch, q)
			l.send(l.sockets[1-from], q)
			isIdle = isIdle && q.head == len(q.frames)
		}
	}
}

// pause waits for a file or until the period is over. The Go runtime doesn't notice that: it would look for threads that
// wait every 20 µs, and take more CPU time than frames do. So other goroutines need their own share of GOMAXPROCS.
func pause(polled *unix.PollFd, period time.Duration) {
	left := unix.NsecToTimespec(int64(period))
	_, _, _ = unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(polled)), 1, uintptr(unsafe.Pointer(&left)), 0, 0, 0) // an interrupted wait is harmless
}

// Close stops it; frames in flight are lost.
func (b *Bundle) Close() error {
	if err := end(b.stop, &b.done); err != nil {
		return fmt.Errorf("stop a bundle of delay lines: %w", err)
	}
	b.closeSockets()
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
	return nil
}

func (b *Bundle) closeSockets() {
	for _, l := range b.Lines {
		l.closeSockets()
	}
}
