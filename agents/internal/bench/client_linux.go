package bench

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/bench/latency"
)

const tooMany = 1000 // the number of failures at which a measurement stops

// Generate loads the targets from one thread: each connection sends its next request as soon as it has a
// reply.
func Generate(options LoadOptions) (Load, error) {
	if options.TLS {
		return generateTLS(options)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	poll, err := newPoll()
	if err != nil {
		return Load{}, err
	}
	c := &client{
		LoadOptions: options, poll: poll, requesters: map[int]*requester{}, latency: latency.NewHistogram(),
		request: requestOf(options.Workload), buffer: make([]byte, 256<<10),
	}
	for i := range options.Connections {
		if err := c.connect(&requester{target: i % len(options.Targets)}); err != nil {
			return Load{}, err
		}
	}
	return c.run()
}

type client struct {
	LoadOptions
	poll       *poll
	requesters map[int]*requester // by descriptor
	request    []byte
	buffer     []byte
	now        time.Time
	from       time.Time // requests sent before aren't measured
	measures   bool
	latency    *latency.Histogram
	load       Load
	failures   int
}

// requester is one connection, or one socket of UDP.
type requester struct {
	fd, target int
	startedAt  time.Time // with New: before the connection was opened
	connected  bool
	number     uint64 // of the datagram
	lost       uint64 // datagrams, as far as detected
	head       []byte // of a reply that arrived in pieces
	left       int    // the reply's remaining bytes, once its head is complete
}

func (c *client) run() (Load, error) {
	began := time.Now()
	to := began.Add(c.Warmup + c.For)
	c.from = began.Add(c.Warmup)
	var cpu float64
	var swept time.Time
	for c.now = began; c.now.Before(to); c.now = time.Now() {
		if !c.measures && !c.now.Before(c.from) {
			c.measures, c.from, to, cpu = true, c.now, c.now.Add(c.For), cpuSeconds()
		}
		if c.Workload == UDP && c.now.Sub(swept) > patience/10 {
			swept = c.now
			c.sweep()
		}
		events, err := c.poll.wait(10 * time.Millisecond)
		if err != nil {
			return c.load, err
		}
		for _, event := range events {
			if a := c.requesters[int(event.Fd)]; a != nil {
				if err := c.advance(a); err != nil {
					return c.load, err
				}
			}
		}
	}
	c.load.Seconds, c.load.CPUSeconds = c.now.Sub(c.from).Seconds(), cpuSeconds()-cpu
	c.load.P50 = float64(c.latency.Quantile(0.5)) / 1e3
	c.load.P99 = float64(c.latency.Quantile(0.99)) / 1e3
	c.load.Max = float64(c.latency.Max()) / 1e3
	if c.Workload == UDP {
		if err := c.settle(); err != nil {
			return c.load, err
		}
	}
	return c.load, nil
}

func (c *client) connect(a *requester) error {
	kind := unix.SOCK_STREAM
	if c.Workload == UDP {
		kind = unix.SOCK_DGRAM
	}
	fd, err := newSocket(kind)
	if err != nil {
		return err
	}
	*a = requester{fd: fd, target: a.target, startedAt: time.Now(), connected: c.Workload == UDP, number: a.number, head: a.head[:0]}
	if c.Workload != UDP {
		_ = unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)
	}
	if err := unix.Connect(fd, socketAddress(c.Targets[a.target])); err != nil && !patient(err) {
		return fmt.Errorf("connect to %s: %w", c.Targets[a.target], err)
	}
	c.requesters[fd] = a
	if c.Workload == UDP {
		c.send(a)
	}
	return c.poll.add(fd)
}

func (c *client) advance(a *requester) error {
	switch {
	case c.Workload == UDP:
		return c.readReplies(a)
	case !a.connected:
		if _, err := unix.Write(a.fd, c.request); patient(err) {
			return nil
		} else if err != nil {
			return c.fail(a, err)
		}
		a.connected = true
		return nil
	}
	return c.read(a)
}

// read takes the available data. A complete reply leads to the next request.
func (c *client) read(a *requester) error {
	for {
		n, err := unix.Read(a.fd, c.buffer)
		if patient(err) {
			return nil
		}
		if err == nil && n == 0 {
			err = errors.New("the connection ended before the answer")
		}
		if err != nil {
			return c.fail(a, err)
		}
		whole, err := a.take(c.buffer[:n])
		if err != nil {
			return c.fail(a, err)
		}
		if !whole {
			continue
		}
		c.count(a)
		if c.Workload == New {
			return c.again(a)
		}
		a.startedAt = time.Now()
		if _, err := unix.Write(a.fd, c.request); err != nil {
			return c.fail(a, err)
		}
		if n < len(c.buffer) {
			return nil // drained: the next byte causes another event
		}
	}
}

// take adds data to the reply and reports whether the reply is complete.
func (a *requester) take(text []byte) (whole bool, err error) {
	if a.left == 0 {
		if len(a.head) > 0 {
			a.head = append(a.head, text...)
			text = a.head
		}
		length, err := parseResponse(text)
		if err != nil {
			return false, err
		}
		if length == 0 {
			a.head = append(a.head[:0], text...)
			return false, nil
		}
		a.left = length
	}
	a.head = a.head[:0]
	if a.left -= len(text); a.left < 0 {
		return false, fmt.Errorf("the answer is %d bytes longer than its Content-Length", -a.left)
	}
	return a.left == 0, nil
}

func (c *client) count(a *requester) {
	if c.measures {
		c.load.Requests++
		c.latency.Add(time.Since(a.startedAt))
	}
}

// fail counts a failure, during the warm-up too, and reconnects.
func (c *client) fail(a *requester, err error) error {
	if c.load.Failed++; c.load.Because == "" {
		c.load.Because = err.Error()
	}
	if c.failures++; c.failures > tooMany {
		return fmt.Errorf("%d failures, the first: %s", c.failures, c.load.Because)
	}
	return c.again(a)
}

func (c *client) again(a *requester) error {
	delete(c.requesters, a.fd)
	_ = unix.Close(a.fd)
	return c.connect(a)
}
