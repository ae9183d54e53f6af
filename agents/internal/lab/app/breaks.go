package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"
)

// Break is the end of one connection that neither end wanted.
type Break struct {
	At      time.Time     `json:"at"`
	Client  string        `json:"client"`
	Service string        `json:"service"`
	Backend string        `json:"backend,omitempty"` // that answered first; empty when none did
	Age     time.Duration `json:"age"`               // since it was established
	How     How           `json:"how"`
	Error   string        `json:"error"`
}

// How a connection broke.
type How string

// The ways.
const (
	Reset    How = "reset"     // the packets reached a server without the connection
	TimedOut How = "timed out" // its packets went nowhere
	Ended    How = "ended"     // politely, but before its time
	Moved    How = "moved"     // another backend answered than the first
	Garbled  How = "garbled"   // the answer is none
)

// mostBreaks are kept in detail; all are counted.
const mostBreaks = 200

// movedError says that another backend answered.
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
