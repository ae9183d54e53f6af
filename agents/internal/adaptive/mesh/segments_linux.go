package mesh

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// segment makes the kernel cut each longer message of the socket into datagrams of this size. Zero: none.
func segment(conn *net.UDPConn, size int) error { return setUDP(conn, unix.UDP_SEGMENT, size) }

// join makes the kernel join datagrams of the same sender and size that arrive together. Without it, they
// arrive one by one.
func join(conn *net.UDPConn) { _ = setUDP(conn, unix.UDP_GRO, 1) }

func setUDP(conn *net.UDPConn, option, value int) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(descriptor uintptr) {
		failed = unix.SetsockoptInt(int(descriptor), unix.SOL_UDP, option, value)
	})
	return errors.Join(err, failed)
}

// isUncut reports whether the kernel can't cut a message for its route: the device calculates no
// checksums, IPsec encrypts the packets, or a segment is larger than the MTU, which kernels report
// with one of two errors.
func isUncut(err error) bool {
	return errors.Is(err, unix.EIO) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.EMSGSIZE)
}
