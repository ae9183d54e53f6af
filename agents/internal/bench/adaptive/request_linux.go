package adaptive

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"
)

// request is one connection, or one datagram.
type request struct {
	due    time.Duration
	node   int // that was chosen; -1: by the kernel
	isSent bool
}

// begin connects the socket of a request.
func (c *clients) begin(due time.Duration) {
	if len(c.requests) >= mostWaiting {
		c.giveUp(due, errors.New("too many requests wait"))
		return
	}
	r, to := &request{due: due, node: -1}, c.Service
	if c.chooser != nil {
		r.node = c.chooser.choose(c.open)
		to = c.backends[r.node]
	}
	fd, err := c.connect(to)
	if fd < 0 {
		c.giveUp(due, err)
		return
	}
	if c.chooser != nil {
		c.open[r.node]++
	}
	c.requests[fd] = r
	if err == nil || isPending(err) {
		err = watch(c.poll, fd, unix.EPOLLIN|unix.EPOLLOUT|unix.EPOLLET)
	}
	if due >= c.Warmup && c.Users == 0 {
		c.result.Late = append(c.result.Late, micros(c.now()-due))
	}
	if err != nil {
		c.end(fd, err)
	} else if c.Over == overUDP {
		c.advance(fd)
	}
}

// connect returns a socket that connects, unless the error is another one; -1 without a socket.
func (c *clients) connect(to netip.AddrPort) (fd int, err error) {
	kind := unix.SOCK_STREAM
	if c.Over == overUDP {
		kind = unix.SOCK_DGRAM
	}
	if fd, err = newSocket(to.Addr(), kind); err != nil {
		return -1, err
	}
	if kind == unix.SOCK_STREAM {
		// A reset leaves no port that waits for a minute: they would run out.
		_ = unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
		// The request completes the handshake, because packets between nodes take this machine's CPU time.
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_QUICKACK, 0)
	}
	return fd, unix.Connect(fd, socketAddress(to))
}

// advance sends the request, or receives its answer.
func (c *clients) advance(fd int) {
	r := c.requests[fd]
	if r == nil {
		return
	}
	if !r.isSent {
		if _, err := unix.Write(fd, []byte{1}); err != nil {
			if !isPending(err) {
				c.end(fd, err)
			}
			return
		}
		r.isSent = true
		return // an answer causes another event
	}
	var answer [1]byte
	n, err := unix.Read(fd, answer[:])
	switch {
	case isPending(err):
	case err != nil:
		c.end(fd, err)
	case n == 0:
		c.end(fd, errors.New("the connection ended before the answer"))
	default:
		if c.chooser == nil {
			r.node = int(answer[0])
		}
		c.answered(r)
		c.end(fd, nil)
	}
}

func (c *clients) answered(r *request) {
	if r.due < c.Warmup {
		return
	}
	c.result.Due = append(c.result.Due, micros(r.due))
	c.result.Took = append(c.result.Took, micros(c.now()-r.due))
	c.result.Node = append(c.result.Node, r.node)
}

// end closes the socket.
func (c *clients) end(fd int, err error) {
	r := c.requests[fd]
	delete(c.requests, fd)
	_ = unix.Close(fd)
	if c.chooser != nil {
		c.open[r.node]--
	}
	if err != nil {
		c.giveUp(r.due, err)
	} else if c.Users > 0 {
		c.idle++
	}
}

// giveUp lets the user of a request that failed pause: servers that refuse connections would get them without end.
func (c *clients) giveUp(due time.Duration, err error) {
	c.fail(due, err)
	if c.Users > 0 {
		c.pausing++
		c.resume = c.now() + pollEvery
	}
}

func (c *clients) fail(due time.Duration, err error) {
	if due >= c.Warmup {
		c.result.Failures = append(c.result.Failures, failure{micros(due), err.Error()})
	}
}

func (c *clients) closeAll() {
	for fd, r := range c.requests {
		_ = unix.Close(fd)
		c.fail(r.due, fmt.Errorf("no answer within %v", answerTimeout))
	}
}
