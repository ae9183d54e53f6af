package sessionapp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"
)

const (
	redisTimeout = 10 * time.Second
	redisIdle    = 64 // connections that are kept
	redisBuffer  = 64 << 10
)

// Redis has the sessions of all servers.
type Redis struct {
	address string
	idle    chan *redisConn
}

// NewRedis returns a store at an address, which is connected with the first request.
func NewRedis(address string) *Redis {
	return &Redis{address: address, idle: make(chan *redisConn, redisIdle)}
}

// redisConn is one connection, with a buffer that is reused, so that large data cost no allocation.
type redisConn struct {
	net.Conn
	in   *bufio.Reader
	data []byte
}

// Get calls use with the data.
func (r *Redis) Get(ctx context.Context, id string, use func([]byte)) (found bool, err error) {
	err = r.do(ctx, func(c *redisConn) error {
		if err := c.send("GET", []byte(id)); err != nil {
			return err
		}
		found, err = c.bulk()
		if found {
			use(c.data)
		}
		return err
	})
	return found, err
}

// Set stores the data.
func (r *Redis) Set(ctx context.Context, id string, data []byte) error {
	return r.do(ctx, func(c *redisConn) error { return errors.Join(c.send("SET", []byte(id), data), c.ok()) })
}

// Clear removes all sessions of all servers.
func (r *Redis) Clear(ctx context.Context) error {
	return r.do(ctx, func(c *redisConn) error { return errors.Join(c.send("FLUSHALL"), c.ok()) })
}

// do uses a connection, which is kept if nothing went wrong.
func (r *Redis) do(ctx context.Context, use func(*redisConn) error) error {
	conn, err := r.connect(ctx)
	if err != nil {
		return fmt.Errorf("connect to Redis: %w", err)
	}
	_ = conn.SetDeadline(time.Now().Add(redisTimeout))
	if err := use(conn); err != nil {
		return errors.Join(fmt.Errorf("query Redis: %w", err), conn.Close())
	}
	select {
	case r.idle <- conn:
		return nil
	default:
		return conn.Close()
	}
}

func (r *Redis) connect(ctx context.Context) (*redisConn, error) {
	select {
	case conn := <-r.idle:
		return conn, nil
	default:
	}
	conn, err := (&net.Dialer{Timeout: redisTimeout}).DialContext(ctx, "tcp", r.address)
	if err != nil {
		return nil, err
	}
	return &redisConn{Conn: conn, in: bufio.NewReaderSize(conn, redisBuffer)}, nil
}

// send writes a command in the protocol RESP.
func (c *redisConn) send(command string, arguments ...[]byte) error {
	parts := net.Buffers{fmt.Appendf(nil, "*%d\r\n$%d\r\n%s\r\n", 1+len(arguments), len(command), command)}
	for _, argument := range arguments {
		parts = append(parts, fmt.Appendf(nil, "$%d\r\n", len(argument)), argument, []byte("\r\n"))
	}
	_, err := parts.WriteTo(c.Conn)
	return err
}

// line reads the first line of a reply.
func (c *redisConn) line() (string, error) {
	line, err := c.in.ReadString('\n')
	line = strings.TrimSuffix(line, "\r\n")
	if err == nil && strings.HasPrefix(line, "-") {
		err = errors.New(line[1:])
	}
	return line, err
}

func (c *redisConn) ok() error {
	line, err := c.line()
	if err == nil && line != "+OK" {
		err = fmt.Errorf("the reply is %q", line)
	}
	return err
}

// bulk reads one value; false without one.
func (c *redisConn) bulk() (found bool, err error) {
	line, err := c.line()
	if err != nil {
		return false, err
	}
	size, err := strconv.Atoi(strings.TrimPrefix(line, "$"))
	if err != nil || !strings.HasPrefix(line, "$") || size > mostBytes {
		return false, fmt.Errorf("the reply is %q", line)
	}
	if size < 0 {
		return false, nil
	}
	if cap(c.data) < size+2 {
		c.data = make([]byte, size+2)
	}
	c.data = c.data[:size+2]
	if _, err := io.ReadFull(c.in, c.data); err != nil {
		return false, err
	}
	c.data = c.data[:size]
	return true, nil
}
