package endpoint

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// rejectBroadcasts makes writes to broadcast addresses fail, which Go allows by default: a peer may
// report the broadcast address of a network.
func rejectBroadcasts(conn *net.UDPConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(descriptor uintptr) {
		failed = unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_BROADCAST, 0)
	})
	return errors.Join(err, failed)
}
