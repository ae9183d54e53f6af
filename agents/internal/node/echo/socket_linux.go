package echo

import (
	"errors"
	"net"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// addArrivals makes the kernel add the time of arrival to each datagram.
func addArrivals(conn *net.UDPConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(descriptor uintptr) {
		failed = unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	return errors.Join(err, failed)
}

// arrival reads the time from the control messages of a datagram. It is zero if there is none. It
// allocates nothing, because any host can send datagrams.
func arrival(control []byte) time.Time {
	for len(control) > 0 {
		header, data, rest, err := unix.ParseOneSocketControlMessage(control)
		if err != nil {
			return time.Time{}
		}
		var at unix.Timespec
		if header.Level == unix.SOL_SOCKET && header.Type == unix.SO_TIMESTAMPNS && len(data) >= int(unsafe.Sizeof(at)) {
			at = *(*unix.Timespec)(unsafe.Pointer(&data[0]))
			return time.Unix(at.Unix())
		}
		control = rest
	}
	return time.Time{}
}
