//go:build !linux

package userspace

import (
	"errors"
	"net"
)

type hello struct{ raw, name []byte }

func (h *hello) free() {}

var errLeft = errors.New("the client closed the connection without sending anything")

func readHello(*net.TCPConn) (hello, error) { return hello{}, errors.ErrUnsupported }
