package bench

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ServerOptions configure one backend.
type ServerOptions struct {
	Name string
	TCP  netip.AddrPort
	UDP  []netip.AddrPort // one each, so that a reply comes from the address of the request
}

// Serve is a backend: it replies to requests, and echoes datagrams, until the context ends. It calls
// listening when it accepts requests.
func Serve(ctx context.Context, options ServerOptions, listening func()) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	poll, err := newPoll()
	if err != nil {
		return err
	}
	s := &server{poll: poll, listener: -1, echoes: map[int]bool{}, conns: map[int]*served{}, buffer: make([]byte, 64<<10)}
	for i, size := range []int{smallSize, bulkSize} {
		s.answers[i] = [2][]byte{response(options.Name, size, false), response(options.Name, size, true)}
	}
	if err := s.listen(options); err != nil {
		return err
	}
	listening()
	for ctx.Err() == nil {
		events, err := poll.wait(100 * time.Millisecond)
		if err != nil {
			return err
		}
		for _, event := range events {
			if err := s.handle(int(event.Fd)); err != nil {
				return err
			}
		}
	}
	return nil
}

type server struct {
	poll     *poll
	listener int
	echoes   map[int]bool
	conns    map[int]*served
	answers  [2][2][]byte // small or bulk; not the last or the last
	buffer   []byte
}

// served is a connection. Few have partial input or output.
type served struct {
	in, out []byte
	last    bool
}

func (s *server) listen(options ServerOptions) error {
	fd, err := newSocket(unix.SOCK_STREAM)
	if err != nil {
		return err
	}
	s.listener = fd
	if err := errors.Join(
		unix.SetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1),
		unix.Bind(fd, socketAddress(options.TCP)), unix.Listen(fd, 4096), s.poll.add(fd)); err != nil {
		return fmt.Errorf("listen on %s: %w", options.TCP, err)
	}
	for _, address := range options.UDP {
		fd, err := newSocket(unix.SOCK_DGRAM)
		if err == nil {
			err = errors.Join(unix.Bind(fd, socketAddress(address)), s.poll.add(fd))
		}
		if err != nil {
			return fmt.Errorf("listen on %s: %w", address, err)
		}
		s.echoes[fd] = true
	}
	return nil
}

func (s *server) handle(fd int) error {
	switch {
	case fd == s.listener:
		return s.accept()
	case s.echoes[fd]:
		s.echo(fd)
	default:
		if conn := s.conns[fd]; conn != nil && !s.talk(fd, conn) {
			delete(s.conns, fd)
			_ = unix.Close(fd)
		}
	}
	return nil
}

func (s *server) accept() error {
	for {
		fd, _, err := unix.Accept4(s.listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
		if patient(err) {
			return nil
		}
		if errors.Is(err, unix.ECONNABORTED) {
			continue
		}
		if err != nil {
			return fmt.Errorf("accept: %w", err)
		}
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
		s.conns[fd] = &served{}
		if err := s.poll.add(fd); err != nil {
			return err
		}
	}
}

func (s *server) echo(fd int) {
	for {
		n, from, err := unix.Recvfrom(fd, s.buffer, 0)
		if errors.Is(err, unix.EAGAIN) {
			return
		}
		if err == nil {
			_ = unix.Sendto(fd, s.buffer[:n], 0, from) // the client counts lost replies
		}
	}
}

// talk does what is possible now; false when the connection has ended.
func (s *server) talk(fd int, conn *served) bool {
	for {
		if !conn.write(fd) {
			return false
		}
		n, err := unix.Read(fd, s.buffer)
		if patient(err) {
			return true
		}
		if err != nil || n == 0 {
			return false
		}
		text := s.buffer[:n]
		if len(conn.in) > 0 {
			conn.in = append(conn.in, text...)
			text = conn.in
		}
		for !conn.last {
			bulk, last, length := parseRequest(text)
			if length == 0 {
				break
			}
			conn.last, text = last, text[length:]
			conn.answer(fd, s.answers[index(bulk)][index(last)])
		}
		conn.in = append(conn.in[:0], text...)
	}
}

// answer writes at once when nothing is queued. What it can't write is kept by reference: replies never
// change.
func (c *served) answer(fd int, text []byte) {
	if len(c.out) > 0 {
		c.out = append(c.out[:len(c.out):len(c.out)], text...)
		return
	}
	n, err := unix.Write(fd, text)
	if err != nil {
		n = 0 // write finds out whether the error is permanent
	}
	c.out = text[n:]
}

// write continues with queued data; false when the connection is done or broken.
func (c *served) write(fd int) bool {
	if len(c.out) > 0 {
		n, err := unix.Write(fd, c.out)
		if err != nil {
			return patient(err)
		}
		c.out = c.out[n:]
	}
	return len(c.out) > 0 || !c.last
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}
