package userspace

import (
	"errors"
	"io"
	"net"

	"fairlead.dev/agents/internal/balancer/clienthello"
)

// hello is what a client said first, all that was read of it, and whom it asks for.
type hello struct {
	said   []byte
	name   []byte
	buffer *[bufferBytes]byte // that said may lie in
}

// free gives back what the bytes lie in; they are gone then.
func (h *hello) free() {
	if h.buffer != nil {
		buffers.Put(h.buffer)
	}
	*h = hello{}
}

// errLeft is of a client that left without a word, as somebody does who only wants to
// know whether we are there.
var errLeft = errors.New("the client left without a word")

// readHello waits until a client has said whom it wants. Mostly that is one read, whose
// buffer is kept and nothing copied. What comes in parts is copied, because a client that
// is slow should not hold a whole buffer.
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
			if errors.Is(err, io.EOF) && len(h.said) == 0 {
				err = errLeft
			}
			return hello{}, err
		case len(h.said) == 0:
			h.said, h.buffer = buffer[:size], buffer
		default:
			h.said = append(h.said, buffer[:size]...)
			buffers.Put(buffer)
		}
		h.name, err = clienthello.ServerName(h.said)
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

// keep moves what was said out of its buffer.
func (h *hello) keep() {
	if h.buffer != nil {
		h.said = append([]byte(nil), h.said...)
		buffers.Put(h.buffer)
		h.buffer = nil
	}
}
