package mesh

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// bufferBytes hold what all peers send at once, if they happen to do: the kernel counts about 2 KB for a
// datagram.
const bufferBytes = 2 << 20

// enlarge lets datagrams wait while this process has no CPU.
func enlarge(conn *net.UDPConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(descriptor uintptr) {
		// Only root may exceed the host's limit; others get what it allows.
		if unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_RCVBUFFORCE, bufferBytes) != nil {
			failed = unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_RCVBUF, bufferBytes)
		}
	})
	return errors.Join(err, failed)
}
