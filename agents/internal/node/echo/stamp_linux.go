package echo

import (
	"net"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// requestArrivals makes the kernel add the time of arrival to each datagram.
func requestArrivals(conn *net.UDPConn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(descriptor uintptr) {
		failed = unix.SetsockoptInt(int(descriptor), unix.SOL_SOCKET, unix.SO_TIMESTAMPNS, 1)
	})
	if err != nil {
		return err
	}
	return failed
}

// arrival reads the time from the control messages of a datagram. It is zero if there is none.
func arrival(control []byte) time.Time {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil {
		return time.Time{}
	}
	for _, message := range messages {
		var at unix.Timespec
		if message.Header.Level == unix.SOL_SOCKET && message.Header.Type == unix.SO_TIMESTAMPNS &&
			len(message.Data) >= int(unsafe.Sizeof(at)) {
			at = *(*unix.Timespec)(unsafe.Pointer(&message.Data[0]))
			return time.Unix(at.Unix())
		}
	}
	return time.Time{}
}
