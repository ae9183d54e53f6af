package datapathtest

import (
	"encoding/binary"
	"errors"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// wire counts the frames of some sizes that a host sends.
type wire struct{ socket int }

// wireOf counts from now on, frames that are longer than least and not longer than most. The
// kernel selects them, because the others soon fill a socket.
func wireOf(t *testing.T, space *netspace.Space, least, most uint32) *wire {
	t.Helper()
	const packetType = 0xfffff004 // SKF_AD_OFF + SKF_AD_PKTTYPE
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_LEN},
		{Code: unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, K: most, Jt: 4},
		{Code: unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K, K: least, Jf: 3},
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: packetType},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.PACKET_OUTGOING, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 1},
		{Code: unix.BPF_RET | unix.BPF_K},
	}
	w := &wire{}
	must(t, do(space, func() (err error) {
		w.socket, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		return err
	}))
	t.Cleanup(func() { _ = unix.Close(w.socket) })
	must(t, unix.SetsockoptSockFprog(w.socket, unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}))
	link, err := space.Links().LinkByName(Interface)
	must(t, err)
	all := binary.NativeEndian.Uint16(binary.BigEndian.AppendUint16(nil, unix.ETH_P_ALL))
	must(t, unix.Bind(w.socket, &unix.SockaddrLinklayer{Protocol: all, Ifindex: link.Attrs().Index}))
	return w
}

// sent returns how many there were so far.
func (w *wire) sent(t *testing.T) (frames int) {
	t.Helper()
	for buffer := make([]byte, 1); ; frames++ {
		_, _, err := unix.Recvfrom(w.socket, buffer, 0)
		if errors.Is(err, unix.EAGAIN) {
			return frames
		}
		must(t, err)
	}
}
