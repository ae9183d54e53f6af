package controlplanetest

import (
	"io"
	"net"
	"os"
	"sync"
	"time"
)

// conn is one end of a connection. Writes never block, as with a large enough socket buffer.
type conn struct {
	in, out *flow
	network *Network
}

func (c *conn) Read(p []byte) (int, error)  { return c.in.read(p) }
func (c *conn) Write(p []byte) (int, error) { return c.out.write(p) }

func (c *conn) Close() error {
	c.network.remove(c)
	c.out.close(io.EOF)
	c.in.close(net.ErrClosed)
	return nil
}

// sever closes both ends, as a killed process or a reset does.
func (c *conn) sever() {
	c.out.close(io.ErrUnexpectedEOF)
	c.in.close(io.ErrUnexpectedEOF)
}

func (c *conn) LocalAddr() net.Addr                { return address{} }
func (c *conn) RemoteAddr() net.Addr               { return address{} }
func (c *conn) SetReadDeadline(at time.Time) error { c.in.setDeadline(at); return nil }
func (c *conn) SetWriteDeadline(time.Time) error   { return nil }
func (c *conn) SetDeadline(at time.Time) error     { return c.SetReadDeadline(at) }

// flow carries bytes in one direction.
type flow struct {
	mu       sync.Mutex
	changed  *sync.Cond
	data     []byte
	closed   error
	frozen   bool
	deadline time.Time
	alarm    *time.Timer
}

func newFlow(frozen bool) *flow {
	f := &flow{frozen: frozen}
	f.changed = sync.NewCond(&f.mu)
	return f
}

func (f *flow) read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for {
		switch {
		case !f.deadline.IsZero() && !time.Now().Before(f.deadline):
			return 0, os.ErrDeadlineExceeded
		case f.closed == net.ErrClosed: // our own end: even a frozen path can't hold that back
			return 0, f.closed
		case !f.frozen && len(f.data) > 0:
			n := copy(p, f.data)
			f.data = f.data[n:]
			return n, nil
		case !f.frozen && f.closed != nil:
			return 0, f.closed
		}
		f.changed.Wait()
	}
}

func (f *flow) write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed != nil {
		return 0, io.ErrClosedPipe
	}
	f.data = append(f.data, p...)
	f.changed.Broadcast()
	return len(p), nil
}

func (f *flow) close(why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed == nil || why == net.ErrClosed {
		f.closed = why
	}
	if f.alarm != nil {
		f.alarm.Stop()
	}
	f.changed.Broadcast()
}

func (f *flow) setFrozen(frozen bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frozen = frozen
	f.changed.Broadcast()
}

func (f *flow) setDeadline(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.deadline = at
	if f.alarm != nil {
		f.alarm.Stop()
	}
	if !at.IsZero() {
		f.alarm = time.AfterFunc(time.Until(at), f.changed.Broadcast)
	}
	f.changed.Broadcast()
}
