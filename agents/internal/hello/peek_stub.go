//go:build !linux

package hello

import (
	"errors"
	"net"
)

// Peek needs Linux.
func Peek(*net.TCPConn, int, func(*Hello)) error { return errors.ErrUnsupported }
