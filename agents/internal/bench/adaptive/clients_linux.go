package adaptive

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ClientsCommand is the command of a node's clients.
const ClientsCommand = "adaptive-clients"

type clientsOptions struct {
	Entry    int // the node
	Cgroups  []string
	Backends [nodes]netip.AddrPort
}

// Clients runs turns.
func Clients(argument string) error {
	var options clientsOptions
	if err := json.Unmarshal([]byte(argument), &options); err != nil {
		return err
	}
	if err := join(options.Cgroups); err != nil {
		return err
	}
	runtime.LockOSThread() // which has priority
	if err := hurry(); err != nil {
		return err
	}
	return obey(func(order turnOrder) (any, error) {
		c := &clients{clientsOptions: options, turnOrder: order}
		c.chooser = newChooser(order.Subject, options.Entry, func() [nodes]usage { return usageOf(order.Servers) })
		err := c.run()
		return c.result, err
	})
}

// request is one connection.
type request struct {
	due    time.Duration
	node   int // that was chosen; -1: by the kernel
	isSent bool
}

type clients struct {
	clientsOptions
	turnOrder
	chooser  chooser
	poll     int
	timer    int
	schedule schedule
	next     time.Duration // when the next request is due
	requests map[int]*request
	open     []int // by node
	idle     int   // users without a request
	result   turnResult
}

func (c *clients) now() time.Duration { return time.Since(c.Start) }

func (c *clients) run() (err error) {
	if c.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	defer unix.Close(c.poll)
	if c.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC); err != nil {
		return err
	}
	defer unix.Close(c.timer)
	if err := watch(c.poll, c.timer, unix.EPOLLIN); err != nil {
		return err
	}
	c.requests, c.open = map[int]*request{}, make([]int, nodes)
	defer c.closeAll()
	time.Sleep(time.Until(c.Start))
	c.idle = c.Users
	c.schedule = newSchedule(c.turnOrder)
	c.next = c.schedule.after(0)
	return c.loop()
}

// loop ends when all requests are answered after the last was due.
func (c *clients) loop() error {
	var events [64]unix.EpollEvent
	end := c.Warmup + c.For
	for {
		now := c.now()
		if now > end && (len(c.requests) == 0 || now > end+answerTimeout) {
			return nil
		}
		for ; c.next <= now; c.next = c.schedule.after(c.next) {
			if c.next >= end {
				c.next = never
				break
			}
			c.begin(c.next)
		}
		for ; c.idle > 0 && now < end; c.idle-- {
			c.begin(now)
		}
		if len(c.result.Failures) > mostWaiting {
			return fmt.Errorf("%d requests failed, the first: %s", len(c.result.Failures), c.result.Failures[0].Reason)
		}
		if one, is := c.chooser.(ticker); is {
			one.tick(now)
		}
		c.setTimer(min(max(c.next-now, time.Microsecond), pollEvery))
		n, err := unix.EpollWait(c.poll, events[:], -1)
		if err != nil && !isPending(err) {
			return err
		}
		for _, event := range events[:max(n, 0)] {
			if fd := int(event.Fd); fd != c.timer {
				c.advance(fd)
			}
		}
	}
}

// pollEvery is how often the end is checked without events.
const pollEvery = 50 * time.Millisecond

// setTimer also clears what has expired.
func (c *clients) setTimer(in time.Duration) {
	_ = unix.TimerfdSettime(c.timer, 0, &unix.ItimerSpec{Value: unix.NsecToTimespec(int64(in))}, nil)
}

// begin opens the connection of a request.
func (c *clients) begin(due time.Duration) {
	if len(c.requests) >= mostWaiting {
		c.fail(due, errors.New("too many requests wait"))
		return
	}
	r, to := &request{due: due, node: -1}, c.Service
	if c.chooser != nil {
		r.node = c.chooser.choose(c.open)
		c.open[r.node]++
		to = c.Backends[r.node]
	}
	fd, err := newSocket()
	if err != nil {
		c.fail(due, err)
		return
	}
	// A reset leaves no port that waits for a minute: they would run out.
	_ = unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
	err = unix.Connect(fd, socketAddress(to))
	if due >= c.Warmup && c.Users == 0 {
		c.result.Late = append(c.result.Late, micros(c.now()-due))
	}
	c.requests[fd] = r
	if err != nil && !isPending(err) {
		c.end(fd, err)
		return
	}
	if err := watch(c.poll, fd, unix.EPOLLIN|unix.EPOLLOUT|unix.EPOLLET); err != nil {
		c.end(fd, err)
	}
}

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

// end closes the connection. A user sends the next request.
func (c *clients) end(fd int, err error) {
	r := c.requests[fd]
	delete(c.requests, fd)
	_ = unix.Close(fd)
	if c.chooser != nil {
		c.open[r.node]--
	}
	if err != nil {
		c.fail(r.due, err)
	}
	if c.Users > 0 {
		c.idle++
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
