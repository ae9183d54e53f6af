//go:build !linux

package pump

import (
	"errors"
	"net"
)

// Copy needs Linux.
func Copy(_, _ *net.TCPConn, _ func(bytes int), _ func(data []byte)) error {
	return errors.ErrUnsupported
}
