package mesh

import (
	"encoding/binary"
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

const joinedBytes = 4

// controlBytes hold what the kernel adds to joined datagrams.
var controlBytes = unix.CmsgSpace(joinedBytes)

// joinedSize returns the size of the datagrams in a message; the last one may be shorter.
func joinedSize(control []byte) (size int, joined bool) {
	if len(control) < controlBytes {
		return 0, false // one datagram
	}
	header, value, _, err := unix.ParseOneSocketControlMessage(control)
	if err != nil || header.Level != unix.SOL_UDP || header.Type != unix.UDP_GRO || len(value) < joinedBytes {
		return 0, false
	}
	size = int(binary.NativeEndian.Uint32(value))
	return size, size > 0
}
