package hello

import (
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Largest is the maximum of the limit of Peek.
const Largest = 64 << 10

var buffers = sync.Pool{New: func() any { return new([Largest]byte) }}

// Peek waits for a client's hello of at most most bytes and passes it to see, which must
// not keep it. All bytes stay in the socket, for the next reader of the connection.
//
// The caller sets the connection's read deadline first, usually by Waiting. It bounds the
// whole wait, however often the client sends something. A waiting client costs no memory
// of this process beyond its goroutine, and wakes it only when enough bytes for progress
// have arrived.
//
// The error is io.EOF if the client closed without sending anything, as a TCP health check
// does, and io.ErrUnexpectedEOF if it closed within its hello.
func Peek(client *net.TCPConn, most int, see func(*Hello)) error {
	raw, err := client.SyscallConn()
	if err != nil {
		return err
	}
	return peek(raw, most, see)
}

func peek(raw syscall.RawConn, most int, see func(*Hello)) error {
	p := peeker{most: min(most, Largest)}
	err := raw.Read(p.try)
	if p.waits {
		// The next reader wants every byte as it arrives. This fails only if the
		// connection is closed.
		_ = raw.Control(func(fd uintptr) { _ = wakeAt(fd, 1) })
	}
	if p.buffer != nil {
		defer buffers.Put(p.buffer)
	}
	if err := errors.Join(err, p.err); err != nil {
		return err
	}
	see(&p.hello)
	return nil
}

// peeker looks at a socket until its hello is complete.
type peeker struct {
	most   int
	waits  bool // whether the socket wakes only at more bytes than one
	buffer *[Largest]byte
	hello  Hello // part of the buffer
	err    error
}

// try returns false to wait for more. It holds a buffer after the hello is complete, not
// while it waits.
func (p *peeker) try(fd uintptr) (done bool) {
	p.buffer = buffers.Get().(*[Largest]byte)
	if done = p.look(fd); !done {
		buffers.Put(p.buffer)
		p.buffer = nil
	}
	return done
}

func (p *peeker) look(fd uintptr) (done bool) {
	for last := false; ; last = true {
		size, err := receive(fd, p.buffer[:p.most])
		switch {
		case errors.Is(err, unix.EAGAIN):
			return false
		case err != nil:
			p.err = fmt.Errorf("peek at the TLS hello: %w", err)
			return true
		case size == 0:
			p.err = io.EOF
			return true
		}
		p.hello, p.err = Parse(p.buffer[:size], p.most)
		if !errors.Is(p.err, ErrIncomplete) {
			return true
		}
		if last {
			p.err = io.ErrUnexpectedEOF
			return true
		}
		if !ended(fd) {
			return !p.waitFor(fd)
		}
		// The last bytes may have arrived just before the end.
	}
}

// waitFor makes the socket wake when the bytes that the hello has at least are there.
// Otherwise each segment would wake it: a client that sends single bytes would make this
// process copy all bytes again for each.
func (p *peeker) waitFor(fd uintptr) bool {
	if err := wakeAt(fd, p.hello.Size); err != nil {
		p.err = fmt.Errorf("wait for a TLS hello of %d bytes: %w", p.hello.Size, err)
		return false
	}
	p.waits, p.hello, p.err = true, Hello{}, nil
	return true
}

// wakeAt sets how many unread bytes make a socket readable. The kernel extends the
// receive buffer if they would not fit.
func wakeAt(fd uintptr, bytes int) error {
	return unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_RCVLOWAT, bytes)
}

func receive(fd uintptr, into []byte) (int, error) {
	for {
		size, _, err := unix.Recvfrom(int(fd), into, unix.MSG_PEEK|unix.MSG_DONTWAIT)
		if !errors.Is(err, unix.EINTR) {
			return size, err
		}
	}
}

// ended reports whether no more bytes can arrive. A peek doesn't show that while there
// are unread bytes.
func ended(fd uintptr) bool {
	sockets := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
	count, err := unix.Poll(sockets, 0)
	return err == nil && count > 0
}
