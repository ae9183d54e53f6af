package throughput

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"fairlead.dev/agents/internal/netspace"
)

// uploaded is the body of each request.
const uploaded = 64 << 10

// retryAfter limits how often a service that refuses connections is tried.
const retryAfter = 200 * time.Millisecond

// answerWithin is how long a reply may take before the request has failed.
const answerWithin = 10 * time.Second

// clients upload continuously to one address, each over its own connection.
type clients struct {
	space   *netspace.Space
	address string
	request []byte
	stop    context.CancelFunc
	running sync.WaitGroup

	mu      sync.Mutex
	failed  int
	because string
}

func startClients(ctx context.Context, space *netspace.Space, address string, connections int) *clients {
	c := &clients{space: space, address: address}
	c.request = append(fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n", address, uploaded), bytes.Repeat([]byte{'x'}, uploaded)...)
	ctx, c.stop = context.WithCancel(ctx)
	for range connections {
		c.running.Go(func() { c.run(ctx) })
	}
	return c
}

func (c *clients) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := c.upload(ctx); err != nil && ctx.Err() == nil {
			c.fail(err)
			select {
			case <-ctx.Done():
			case <-time.After(retryAfter):
			}
		}
	}
}

// upload uses one connection until it breaks.
func (c *clients) upload(ctx context.Context) error {
	conn, err := c.space.Dial(ctx, "tcp", c.address)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	for reader := bufio.NewReader(conn); ; {
		if err := conn.SetDeadline(time.Now().Add(answerWithin)); err != nil {
			return err
		}
		if _, err := conn.Write(c.request); err != nil {
			return err
		}
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK || response.Close {
			return fmt.Errorf("answered %s, the last: %t", response.Status, response.Close)
		}
	}
}

func (c *clients) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed++; c.because == "" {
		c.because = err.Error()
	}
}

// take returns how many requests failed since the last call, and why the first did.
func (c *clients) take() (failed int, because string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	failed, because = c.failed, c.because
	c.failed, c.because = 0, ""
	return failed, because
}

// end waits until all have ended.
func (c *clients) end() {
	c.stop()
	c.running.Wait()
}
