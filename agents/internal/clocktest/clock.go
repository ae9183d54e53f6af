// Package clocktest is a clock that is set while programs run, as NTP does it to one that was wrong, or a person.
package clocktest

import (
	"sync/atomic"
	"time"
	"unsafe"
)

// Clock is right until it is set. What it says goes on evenly in between, as the kernel's own count does.
type Clock struct{ wrong atomic.Int64 } // by seconds

// Set makes it wrong by so much, whole seconds.
func (c *Clock) Set(by time.Duration) { c.wrong.Store(int64(by / time.Second)) }

// secondsAt is where a time that has both readings holds its seconds, above the nanoseconds.
const secondsAt = 30

// Now is what time.Now says on a host whose clock was set: another hour on the wall, the same monotonic reading. Nothing
// but the kernel can make such a time, so this reaches into it; the test beside it says whether that still works.
func (c *Clock) Now() time.Time {
	now := time.Now()
	*(*uint64)(unsafe.Pointer(&now)) += uint64(c.wrong.Load()) << secondsAt
	return now
}
