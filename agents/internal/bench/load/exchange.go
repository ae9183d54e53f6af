package load

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"time"
)

// errClosedIdle reports that the server had closed a connection before it got the request. Clients repeat the
// request on a new connection.
var errClosedIdle = errors.New("the connection was closed while it was idle")

// errStatus is a reply that reports an error.
type errStatus int

func (e errStatus) Error() string { return fmt.Sprintf("the status is %d", int(e)) }

// connection is an open connection of a user.
type connection struct {
	net.Conn
	reader *bufio.Reader
	used   int // requests on it so far
}

// send writes a request and reads its reply with the whole body. The reply may report an error.
func (c *connection) send(request *http.Request, buffer *bytes.Buffer, name BackendName) (reply reply, err error) {
	buffer.Reset()
	if err := request.Write(buffer); err != nil {
		return reply, err
	}
	reused := c.used > 0
	c.used++
	if _, err := c.Write(buffer.Bytes()); err != nil {
		return reply, closedIdle(err, reused)
	}
	if _, err := c.reader.Peek(1); err != nil {
		return reply, closedIdle(err, reused)
	}
	response, err := c.readHead(request)
	if err != nil {
		return reply, err
	}
	reply.backend, err = name.read(response)
	reply.cookies, reply.last, reply.status = response.Cookies(), response.Close, response.StatusCode
	return reply, err
}

// reply is what a user needs of a reply.
type reply struct {
	status  int
	backend string
	cookies []*http.Cookie
	last    bool // the server closes the connection
}

// readHead skips interim responses, such as 103 Early Hints.
func (c *connection) readHead(request *http.Request) (*http.Response, error) {
	for {
		response, err := http.ReadResponse(c.reader, request)
		if err != nil || response.StatusCode >= http.StatusOK || response.StatusCode == http.StatusSwitchingProtocols {
			return response, err
		}
	}
}

// closedIdle distinguishes an orderly close before the request from a reset. The kernel reports EPIPE, and not
// ECONNRESET, if the server had closed the connection before.
func closedIdle(err error, reused bool) error {
	if reused && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.EPIPE)) {
		return errClosedIdle
	}
	return err
}

// setDeadline bounds an exchange. It fails if all exchanges must end.
func (g *generator) setDeadline(conn net.Conn, sent time.Duration) error {
	if err := conn.SetDeadline(g.start.Add(sent + g.Timeout)); err != nil {
		return err
	}
	return g.closing.Err() // checked afterwards: the closing itself sets a deadline, too
}
