package userspace

import (
	"errors"
	"io"
	"net"

	"fairlead.dev/agents/internal/balancer/clienthello"
)

// hello is a client's first bytes as read so far, and the requested server name.
type hello struct {
	raw    []byte
	name   []byte
	buffer *[bufferBytes]byte // backing buffer of raw, if any
}

// free returns the buffer; the bytes are invalid then.
func (h *hello) free() {
	if h.buffer != nil {
		buffers.Put(h.buffer)
	}
	*h = hello{}
}

// errLeft means that the client closed the connection without sending anything, as a TCP
// health check does.
var errLeft = errors.New("the client closed the connection without sending anything")

// readHello reads until the requested server is known. Usually that is one read, whose
// buffer is kept without copying. A hello in several parts is copied, so that a slow
// client doesn't hold a whole buffer.
func readHello(client *net.TCPConn) (h hello, err error) {
	raw, err := client.SyscallConn()
	if err != nil {
		return h, err
	}
	r := &reader{raw: raw}
	for {
		buffer, size, err := r.next()
		switch {
		case err != nil:
			if buffer != nil {
				buffers.Put(buffer)
			}
			if errors.Is(err, io.EOF) && len(h.raw) == 0 {
				err = errLeft
			}
			return hello{}, err
		case len(h.raw) == 0:
			h.raw, h.buffer = buffer[:size], buffer
		default:
			h.raw = append(h.raw, buffer[:size]...)
			buffers.Put(buffer)
		}
		h.name, err = clienthello.ServerName(h.raw)
		if err == nil {
			return h, nil
		}
		if !errors.Is(err, clienthello.ErrShort) {
			h.free()
			return hello{}, err
		}
		h.keep()
	}
}

// keep moves the bytes out of their buffer.
func (h *hello) keep() {
	if h.buffer != nil {
		h.raw = append([]byte(nil), h.raw...)
		buffers.Put(h.buffer)
		h.buffer = nil
	}
}
