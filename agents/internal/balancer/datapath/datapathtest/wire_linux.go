package datapathtest

import (
	"encoding/binary"
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// wire captures what a host sends.
type wire struct{ socket int }

func wireOf(t *testing.T, space *netspace.Space) *wire {
	t.Helper()
	w := &wire{}
	must(t, do(space, func() (err error) {
		all := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL))
		w.socket, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, int(all))
		return err
	}))
	t.Cleanup(func() { _ = unix.Close(w.socket) })
	return w
}

// sizes returns those of the frames that the host has sent by its interface so far.
func (w *wire) sizes(t *testing.T) (sizes []int) {
	t.Helper()
	for header := make([]byte, 1); ; {
		size, from, err := unix.Recvfrom(w.socket, header, unix.MSG_TRUNC)
		if errors.Is(err, unix.EAGAIN) {
			return sizes
		}
		must(t, err)
		if at := from.(*unix.SockaddrLinklayer); at.Pkttype == unix.PACKET_OUTGOING {
			sizes = append(sizes, size)
		}
	}
}
