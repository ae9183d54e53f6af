package wire

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// Counts are the frames of both directions together.
type Counts struct {
	Passed  uint64 // a frame may hold many segments
	Lost    uint64 // by the configured loss
	Dropped uint64 // the queue was full or the other end was down
}

// Line forwards frames until it is closed.
type Line struct {
	delay atomic.Int64  // nanoseconds, one way
	loss  atomic.Uint64 // bits of a float64

	passed, lost, dropped atomic.Uint64

	stop    int // an eventfd that both directions watch
	sockets []int
	done    sync.WaitGroup
}

// Open starts to forward frames between two interfaces of a namespace.
func Open(space *netspace.Space, a, b string) (*Line, error) {
	l, err := newLine(space, a, b)
	if err != nil {
		return nil, err
	}
	if l.stop, err = newStop(); err != nil {
		l.closeSockets()
		return nil, err
	}
	l.done.Add(2)
	go l.carry(l.sockets[0], l.sockets[1])
	go l.carry(l.sockets[1], l.sockets[0])
	return l, nil
}

// newLine opens the sockets of both ends.
func newLine(space *netspace.Space, a, b string) (*Line, error) {
	l := &Line{}
	for _, name := range []string{a, b} {
		link, err := space.Links().LinkByName(name)
		socket := -1
		if err == nil {
			err = space.Do(func() (err error) {
				socket, err = openSocket(link.Attrs().Index)
				return err
			})
		}
		if err != nil {
			l.closeSockets()
			return nil, fmt.Errorf("open a delay line at %s of %s: %w", name, space.Name, err)
		}
		l.sockets = append(l.sockets, socket)
	}
	return l, nil
}

func newStop() (int, error) {
	stop, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return -1, fmt.Errorf("create an eventfd: %w", err)
	}
	return stop, nil
}

// Set changes what the line does to frames that arrive from now on.
func (l *Line) Set(delay time.Duration, loss float64) {
	l.delay.Store(int64(delay))
	l.loss.Store(math.Float64bits(loss))
}

// Settings are the values of Set.
func (l *Line) Settings() (delay time.Duration, loss float64) {
	return time.Duration(l.delay.Load()), math.Float64frombits(l.loss.Load())
}

// Counts returns the counts since Open.
func (l *Line) Counts() Counts {
	return Counts{l.passed.Load(), l.lost.Load(), l.dropped.Load()}
}

// Close stops it; frames in flight are lost.
func (l *Line) Close() error {
	if err := end(l.stop, &l.done); err != nil {
		return fmt.Errorf("stop a delay line: %w", err)
	}
	l.closeSockets()
	return nil
}

// end writes to an eventfd, and waits for all who watch it.
func end(stop int, done *sync.WaitGroup) error {
	if _, err := unix.Write(stop, []byte{1, 0, 0, 0, 0, 0, 0, 0}); err != nil {
		return err
	}
	done.Wait()
	return unix.Close(stop)
}

func (l *Line) closeSockets() {
	for _, fd := range l.sockets {
		_ = unix.Close(fd) // none of them buffers data
	}
}

// openSocket reads and writes whole frames with their virtio headers, which describe pending checksum and
// segmentation work. Sent with the same header, the frame is finished by the next device, or a later one.
func openSocket(link int) (int, error) {
	// Bind sets the protocol, so that nothing of other interfaces is queued before.
	fd, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	const buffer = 32 << 20
	for _, option := range []struct{ level, name, value int }{
		{unix.SOL_PACKET, unix.PACKET_VNET_HDR, 1},
		{unix.SOL_PACKET, unix.PACKET_IGNORE_OUTGOING, 1},
	} {
		if err := unix.SetsockoptInt(fd, option.level, option.name, option.value); err != nil {
			return -1, errors.Join(err, unix.Close(fd))
		}
	}
	for _, forced := range []struct{ force, limited int }{{unix.SO_RCVBUFFORCE, unix.SO_RCVBUF}, {unix.SO_SNDBUFFORCE, unix.SO_SNDBUF}} {
		// Only real root may exceed the host's limit; others get what it allows.
		if unix.SetsockoptInt(fd, unix.SOL_SOCKET, forced.force, buffer) != nil {
			_ = unix.SetsockoptInt(fd, unix.SOL_SOCKET, forced.limited, buffer)
		}
	}
	const everyProtocol = uint16(unix.ETH_P_ALL)<<8 | uint16(unix.ETH_P_ALL)>>8 // network order
	if err := unix.Bind(fd, &unix.SockaddrLinklayer{Protocol: everyProtocol, Ifindex: link}); err != nil {
		return -1, errors.Join(err, unix.Close(fd))
	}
	return fd, nil
}
