//go:build !linux

package mesh

import (
	"errors"
	"net"
	"time"
)

func segment(*net.UDPConn, int) error { return errors.ErrUnsupported }

func isUncut(error) bool { return false }

func join(*net.UDPConn) {}

func stamp(*net.UDPConn) error { return nil }

const controlBytes = 0

func parseControl([]byte) (size int, arrived time.Time) { return 0, time.Time{} }
