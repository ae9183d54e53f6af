package app

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// AnswerTimeout is how long a connection waits for a reply before it counts as broken.
const AnswerTimeout = 10 * time.Second

const (
	dialTimeout   = 5 * time.Second
	datagramWait  = time.Second
	datagramTries = 3 // datagrams may get lost; a service that replies to none of three is broken
)

// connection requests the name of one server repeatedly.
type connection struct {
	net.Conn
	serve   string
	reader  *bufio.Reader
	resumed bool // the session of an earlier connection
}

func dial(ctx context.Context, serve, address, serverName string, sessions tls.ClientSessionCache) (*connection, error) {
	network := "tcp"
	if serve == "udp" {
		network = "udp"
	}
	conn, err := (&net.Dialer{Timeout: dialTimeout}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	resumed := false
	if serve == "tls" {
		secure := tls.Client(conn, clientConfig(serverName, sessions))
		shaking, stop := context.WithTimeout(ctx, dialTimeout)
		defer stop()
		if err := secure.HandshakeContext(shaking); err != nil {
			_ = conn.Close()
			return nil, err
		}
		conn, resumed = secure, secure.ConnectionState().DidResume
	}
	return &connection{conn, serve, bufio.NewReader(conn), resumed}, nil
}

func (c *connection) request(now time.Time) (name string, err error) {
	if err := c.SetDeadline(now.Add(AnswerTimeout)); err != nil {
		return "", err
	}
	switch c.serve {
	case "http":
		return c.requestPage()
	case "udp":
		return c.requestDatagram()
	}
	if _, err := io.WriteString(c, "who\n"); err != nil {
		return "", err
	}
	line, err := c.reader.ReadString('\n')
	return strings.TrimSpace(line), err
}

func (c *connection) requestPage() (string, error) {
	if _, err := fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", c.RemoteAddr()); err != nil {
		return "", err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("answered %s", response.Status)
	}
	if err == nil && response.Close {
		err = errors.New("the server closes connections that it should keep")
	}
	return strings.TrimSpace(string(body)), err
}

func (c *connection) requestDatagram() (string, error) {
	buffer := make([]byte, 2048)
	for try := 1; ; try++ {
		if _, err := io.WriteString(c, "who\n"); err != nil {
			return "", err
		}
		_ = c.SetReadDeadline(time.Now().Add(datagramWait)) // the write above would have failed first
		n, err := c.Read(buffer)
		if err == nil {
			return strings.TrimSpace(string(buffer[:n])), nil
		}
		if try == datagramTries || !errors.Is(err, os.ErrDeadlineExceeded) {
			return "", err
		}
	}
}
