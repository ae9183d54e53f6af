package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// Break is one connection that ended although neither end wanted it to.
type Break struct {
	At      time.Time     `json:"at"`
	Client  string        `json:"client"`
	Service string        `json:"service"`
	Backend string        `json:"backend,omitempty"` // of the first reply; empty without one
	Age     time.Duration `json:"age"`               // since it was established
	How     How           `json:"how"`
	Error   string        `json:"error"`
}

// How a connection broke.
type How string

// The ways a connection breaks.
const (
	Reset    How = "reset"     // a server that doesn't have the connection received its packets
	TimedOut How = "timed out" // no reply to its packets
	Ended    How = "ended"     // closed in order, but too early
	Moved    How = "moved"     // a different backend replied than at first
	Garbled  How = "garbled"   // the reply is malformed
)

// mostBreaks is how many are kept in detail; all are counted.
const mostBreaks = 200

// movedError reports that a different backend replied.
type movedError struct{ from, to string }

func (e movedError) Error() string {
	return fmt.Sprintf("first %s answered and now %s", e.from, e.to)
}

func howOf(err error) How {
	var moved movedError
	switch {
	case errors.As(err, &moved):
		return Moved
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNREFUSED):
		return Reset
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return TimedOut
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Ended
	}
	return Garbled
}
