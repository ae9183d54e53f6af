//go:build !linux

package mesh

import (
	"errors"
	"net"
)

func segment(*net.UDPConn, int) error { return errors.ErrUnsupported }

func isUncut(error) bool { return false }

func join(*net.UDPConn) {}

const controlBytes = 0

func joinedSize([]byte) (int, bool) { return 0, false }
