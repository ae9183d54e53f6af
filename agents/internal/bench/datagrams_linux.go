package bench

import (
	"encoding/binary"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

const (
	patience    = 300 * time.Millisecond // how long to wait for a datagram; everything here is local
	payloadSize = 32                     // of a datagram
)

func (c *client) send(a *requester) {
	var payload [payloadSize]byte
	a.number++
	binary.BigEndian.PutUint64(payload[:], a.number)
	a.startedAt = time.Now()
	_, _ = unix.Write(a.fd, payload[:]) // an error shows in readReplies, a loss in sweep
}

func (c *client) readReplies(a *requester) error {
	for {
		number, err := c.receive(a)
		if patient(err) {
			return nil
		}
		if err != nil {
			return c.fail(a, err)
		}
		if number != a.number {
			c.late(a)
			continue
		}
		c.count(a)
		c.send(a)
	}
}

// receive reads one datagram, if there is one, and returns its number.
func (c *client) receive(a *requester) (uint64, error) {
	n, err := unix.Read(a.fd, c.buffer)
	if err == nil && n != payloadSize {
		err = fmt.Errorf("%d bytes came back of %d", n, payloadSize)
	}
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(c.buffer), nil
}

// late corrects a loss: the reply came after all.
func (c *client) late(a *requester) {
	if a.lost > 0 {
		a.lost--
		c.load.Lost--
		c.load.Late++
	}
}

// sweep counts requests without a reply for too long as lost.
func (c *client) sweep() {
	for _, a := range c.requesters {
		if c.now.Sub(a.startedAt) > patience {
			c.lose(a)
			c.send(a)
		}
	}
}

// lose counts a datagram lost in the measured time.
func (c *client) lose(a *requester) {
	if c.measures && !a.startedAt.Before(c.from) {
		a.lost++
		c.load.Lost++
	}
}

// settle waits for the last replies, so that a datagram sent at the end counts as lost as well: a turn is
// hardly longer than the time to wait for one.
func (c *client) settle() error {
	for end := c.now.Add(patience); len(c.requesters) > 0 && c.now.Before(end); c.now = time.Now() {
		events, err := c.poll.wait(10 * time.Millisecond)
		if err != nil {
			return err
		}
		for _, event := range events {
			if a := c.requesters[int(event.Fd)]; a != nil {
				c.readLastReply(a)
			}
		}
	}
	for _, a := range c.requesters {
		c.lose(a)
	}
	return nil
}

func (c *client) readLastReply(a *requester) {
	for {
		number, err := c.receive(a)
		switch {
		case patient(err):
			return
		case err == nil && number != a.number:
			c.late(a)
			continue
		case err != nil:
			c.load.Failed++
			if c.load.Because == "" {
				c.load.Because = err.Error()
			}
		}
		delete(c.requesters, a.fd)
		return
	}
}
