package adaptive

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/sys/unix"
)

// ClientsCommand is the command of a node's clients.
const ClientsCommand = "adaptive-clients"

type clientsOptions struct {
	Entry   int // the node
	Cgroups []string
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
	reserveThread()
	debug.SetGCPercent(-1) // threads of the garbage collector may have to wait for servers, and requests for them
	if err := hurry(); err != nil {
		return err
	}
	return obey(func(order turnOrder) (any, error) {
		runtime.GC()
		c := &clients{clientsOptions: options, turnOrder: order, backends: order.Over.backends()}
		c.chooser = newChooser(order.Subject, options.Entry, func() [nodes]usage { return usageOf(order.Servers) })
		err := c.run()
		return c.result, err
	})
}

type clients struct {
	clientsOptions
	turnOrder
	backends [nodes]netip.AddrPort
	chooser  chooser
	poll     int
	timer    int
	schedule schedule
	next     time.Duration // when the next request is due
	requests map[int]*request
	open     []int // by node
	idle     int   // users without a request
	pausing  int   // users whose last one failed, until resume
	resume   time.Duration
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
		if now >= c.resume {
			c.idle, c.pausing = c.idle+c.pausing, 0
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
		ready, err := await(c.poll, events[:], -1)
		if err != nil {
			return err
		}
		for _, event := range ready {
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
