// Package clocktest is a clock that can be set while programs run, as NTP or an operator sets a wrong one.
package clocktest

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// Clock is correct until it is set. Between two settings it advances evenly, like the monotonic clock.
type Clock struct{ wrong atomic.Int64 } // by seconds

// Set makes it wrong by this time, in whole seconds.
func (c *Clock) Set(by time.Duration) { c.wrong.Store(int64(by / time.Second)) }

// secondsAt is the position of the seconds in a time with both readings, above the nanoseconds.
const secondsAt = 30

// Now is the result of time.Now on a host whose clock was set: another wall clock time, the same monotonic
// reading. Only the runtime can create such a time, so this changes its internals; the test checks that this
// still works.
func (c *Clock) Now() time.Time {
	now := time.Now()
	*(*uint64)(unsafe.Pointer(&now)) += uint64(c.wrong.Load()) << secondsAt
	return now
}
