//go:build !linux

package userspace

import (
	"errors"
	"net"
)

func pump(_, _ *net.TCPConn, _ func(bytes int)) error { return errors.ErrUnsupported }
