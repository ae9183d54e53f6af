package pump

import (
	"io"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// BufferBytes is the size of one read; no datagram is larger.
const BufferBytes = 64 << 10

// Buffer holds what one read returned. Release returns it for other reads.
type Buffer [BufferBytes]byte

var buffers = sync.Pool{New: func() any { return new(Buffer) }}

// Release makes the buffer invalid. A nil buffer has nothing to release.
func (b *Buffer) Release() {
	if b != nil {
		buffers.Put(b)
	}
}

// Reader reads from a socket and takes a buffer only when data has arrived, so that idle
// sockets hold none.
type Reader struct {
	raw    syscall.RawConn
	buffer *Buffer
	size   int
	err    error
}

// NewReader reads from a connection of the net package.
func NewReader(conn syscall.Conn) (*Reader, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	return &Reader{raw: raw}, nil
}

// Next waits for data, and returns io.EOF at the end of a stream or for an empty datagram.
// The caller releases the buffer, also after an error.
func (r *Reader) Next() (*Buffer, int, error) {
	r.buffer = nil
	if err := r.raw.Read(r.try); err != nil {
		return r.buffer, 0, err
	}
	if r.err == nil && r.size == 0 {
		r.err = io.EOF
	}
	return r.buffer, r.size, r.err
}

func (r *Reader) try(fd uintptr) (done bool) {
	r.buffer = buffers.Get().(*Buffer)
	for {
		r.size, r.err = unix.Read(int(fd), r.buffer[:])
		if r.err != unix.EINTR {
			break
		}
	}
	if r.err != unix.EAGAIN {
		return true
	}
	r.buffer.Release()
	r.buffer = nil
	return false
}
