package message

import (
	"net"

	"golang.org/x/sys/unix"
)

// sendBytes is room for packets to some 150 hosts that are gone: the kernel keeps 208 KiB for each.
const sendBytes = 16 << 20

// RoomToSend gives a socket room for packets to hosts that are gone. While the kernel searches their link addresses, it keeps
// packets to them, and with a full buffer those to all others wait for seconds. Without the permission, the host's limit applies.
func RoomToSend(socket *net.UDPConn) {
	_ = socket.SetWriteBuffer(sendBytes)
	if raw, err := socket.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) {
			_ = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_SNDBUFFORCE, sendBytes)
		})
	}
}
