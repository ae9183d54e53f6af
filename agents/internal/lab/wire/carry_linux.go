package wire

import (
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const (
	mostFrame  = 65536 + 64 // a whole GSO packet and its headers
	mostQueued = 64 << 20   // bytes in flight in one direction
	batch      = 64         // frames read before due ones are sent
)

// queue holds frames in order of arrival. All frames of one direction have the same delay, so none overtakes
// another.
type queue struct {
	frames []frame
	head   int
	bytes  int
}

type frame struct {
	due  int64 // of the monotonic clock, nanoseconds
	data []byte
}

// carry serves one direction. It sleeps in the kernel with a nanosecond clock: a runtime timer would be a
// millisecond late.
func (l *Line) carry(from, to int) {
	defer l.done.Done()
	runtime.LockOSThread() // and never unlocked: the timer slack below is per thread
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1000, 0, 0, 0)
	var q queue
	scratch := make([]byte, mostFrame)
	for {
		polled := []unix.PollFd{{Fd: int32(from), Events: unix.POLLIN}, {Fd: int32(l.stop), Events: unix.POLLIN}}
		_, _ = unix.Ppoll(polled, q.wait(now()), nil) // an interrupted wait is harmless
		if polled[1].Revents != 0 {
			return
		}
		if polled[0].Revents != 0 {
			l.read(from, scratch, &q)
		}
		l.send(to, &q)
	}
}

func (l *Line) read(from int, scratch []byte, q *queue) {
	delay, loss := l.delay.Load(), math.Float64frombits(l.loss.Load())
	for range batch {
		n, err := unix.Read(from, scratch)
		if err != nil {
			return // empty, or the interface is down, which poll reports once
		}
		switch {
		case loss > 0 && rand.Float64() < loss:
			l.lost.Add(1)
		case q.bytes+n > mostQueued:
			l.dropped.Add(1)
		default:
			// Timestamp each frame: one time per batch would release the last too early.
			q.push(frame{now() + delay, append([]byte(nil), scratch[:n]...)})
		}
	}
}

func (l *Line) send(to int, q *queue) {
	for at := now(); q.head < len(q.frames) && q.frames[q.head].due <= at; {
		if _, err := unix.Write(to, q.pop()); err != nil {
			l.dropped.Add(1)
		} else {
			l.passed.Add(1)
		}
	}
}

func (q *queue) push(f frame) {
	q.frames = append(q.frames, f)
	q.bytes += len(f.data)
}

func (q *queue) pop() []byte {
	data := q.frames[q.head].data
	q.frames[q.head].data = nil
	q.head++
	q.bytes -= len(data)
	if q.head == len(q.frames) {
		q.frames, q.head = q.frames[:0], 0
	} else if q.head > 4096 && q.head > len(q.frames)/2 {
		q.frames = append(q.frames[:0], q.frames[q.head:]...)
		q.head = 0
	}
	return data
}

// wait is the time until the next frame is due; nil is for ever.
func (q *queue) wait(at int64) *unix.Timespec {
	if q.head == len(q.frames) {
		return nil
	}
	wait := unix.NsecToTimespec(max(0, q.frames[q.head].due-at))
	return &wait
}

var began = time.Now()

// now is monotonic, as the difference of two Go times is.
func now() int64 { return int64(time.Since(began)) }
