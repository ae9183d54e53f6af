package userspace

import (
	"sync/atomic"
	"time"
)

// clock measures once, from the first start to the first stop after it.
type clock struct{ began atomic.Int64 }

const stopped = -1

func (c *clock) start() {
	if c.began.Load() == 0 {
		c.began.CompareAndSwap(0, time.Now().UnixNano())
	}
}

func (c *clock) stop() (nanoseconds int64, first bool) {
	began := c.began.Load()
	if began == 0 || began == stopped || !c.began.CompareAndSwap(began, stopped) {
		return 0, false
	}
	return time.Now().UnixNano() - began, true
}
