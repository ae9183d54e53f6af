package mesh

import (
	"encoding/binary"
	"errors"
	"net"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	joinedBytes  = 4
	arrivedBytes = int(unsafe.Sizeof(unix.Timespec{}))
)

// controlBytes hold what the kernel adds to a message.
var controlBytes = unix.CmsgSpace(joinedBytes) + unix.CmsgSpace(arrivedBytes)

// stamp makes the kernel add the time of arrival to each message.
func stamp(conn *net.UDPConn) error {
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

// parseControl returns the size of the datagrams in a message, of which the last one may be shorter, or 0 if it is one
// datagram; and when it arrived by the wall clock, or zero. It allocates nothing, because any host can send datagrams.
func parseControl(control []byte) (size int, arrived time.Time) {
	for len(control) > 0 {
		header, value, rest, err := unix.ParseOneSocketControlMessage(control)
		if err != nil {
			return size, arrived
		}
		switch {
		case header.Level == unix.SOL_UDP && header.Type == unix.UDP_GRO && len(value) >= joinedBytes:
			size = int(binary.NativeEndian.Uint32(value))
		case header.Level == unix.SOL_SOCKET && header.Type == unix.SO_TIMESTAMPNS && len(value) >= arrivedBytes:
			at := *(*unix.Timespec)(unsafe.Pointer(&value[0]))
			arrived = time.Unix(at.Unix())
		}
		control = rest
	}
	return size, arrived
}
