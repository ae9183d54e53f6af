package userspace

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// bufferBytes is the size of one read; no datagram is larger.
	bufferBytes = 64 << 10

	// For small messages copying was measured to be as fast as splicing. A stream that
	// fills this many buffers in a row is spliced by the kernel, which needs a quarter
	// less CPU; but only for a limited number of bytes and time, because it holds a pipe,
	// which an idle connection must not.
	bulkReads = 8
	bulkBytes = 4 << 20
	bulkTime  = 100 * time.Millisecond
)

var buffers = sync.Pool{New: func() any { return new([bufferBytes]byte) }}

// pump copies until the source ends. It takes a buffer only when there is something to
// read, so that idle connections need none.
func pump(from, to *net.TCPConn, each func(bytes int)) error {
	raw, err := from.SyscallConn()
	if err != nil {
		return err
	}
	r, full := &reader{raw: raw}, 0
	for {
		buffer, size, err := r.next()
		if err == nil {
			each(size)
			_, err = to.Write(buffer[:size])
		}
		if buffer != nil {
			buffers.Put(buffer)
		}
		if full++; size < bufferBytes {
			full = 0
		}
		if err == nil && full == bulkReads {
			full = bulkReads - 1
			err = moveBulk(from, to, each)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// moveBulk lets the kernel splice what arrives in the next moment.
func moveBulk(from, to *net.TCPConn, each func(bytes int)) error {
	if err := from.SetReadDeadline(time.Now().Add(bulkTime)); err != nil {
		return err
	}
	moved, err := to.ReadFrom(io.LimitReader(from, bulkBytes))
	each(int(moved))
	if err == nil && moved < bulkBytes {
		return io.EOF
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return from.SetReadDeadline(time.Time{})
}

// reader reads from a socket and takes a buffer only when data has arrived.
type reader struct {
	raw    syscall.RawConn
	buffer *[bufferBytes]byte
	size   int
	err    error
}

// next waits for data. The caller returns the buffer.
func (r *reader) next() (*[bufferBytes]byte, int, error) {
	r.buffer = nil
	if err := r.raw.Read(r.try); err != nil {
		return r.buffer, 0, err
	}
	if r.err == nil && r.size == 0 {
		r.err = io.EOF
	}
	return r.buffer, r.size, r.err
}

func (r *reader) try(fd uintptr) (done bool) {
	r.buffer = buffers.Get().(*[bufferBytes]byte)
	for {
		r.size, r.err = unix.Read(int(fd), r.buffer[:])
		if r.err != unix.EINTR {
			break
		}
	}
	if r.err != unix.EAGAIN {
		return true
	}
	buffers.Put(r.buffer)
	r.buffer = nil
	return false
}
