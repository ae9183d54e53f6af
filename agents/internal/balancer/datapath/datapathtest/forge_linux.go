package datapathtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
)

// segment is an IPv4 TCP segment without data, which anyone can forge.
type segment struct {
	from, to netip.AddrPort
	flags    byte
	seq, ack uint32
}

const (
	synFlag = 0x02
	rstFlag = 0x04
)

// bytes returns a packet; the kernel fills in the IP header's checksum and length.
func (s segment) bytes() []byte {
	const header, tcp = 20, 20
	packet := make([]byte, header+tcp)
	packet[0], packet[8], packet[9] = 0x45, 64, unix.IPPROTO_TCP
	copy(packet[12:], s.from.Addr().AsSlice())
	copy(packet[16:], s.to.Addr().AsSlice())
	segment := packet[header:]
	binary.BigEndian.PutUint16(segment, s.from.Port())
	binary.BigEndian.PutUint16(segment[2:], s.to.Port())
	binary.BigEndian.PutUint32(segment[4:], s.seq)
	binary.BigEndian.PutUint32(segment[8:], s.ack)
	segment[12], segment[13] = tcp/4<<4, s.flags
	binary.BigEndian.PutUint16(segment[14:], 65535)
	sum := uint32(unix.IPPROTO_TCP + tcp)
	for i := 12; i < len(packet); i += 2 { // both addresses, and the segment
		sum += uint32(binary.BigEndian.Uint16(packet[i:]))
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	binary.BigEndian.PutUint16(segment[16:], ^uint16(sum))
	return packet
}

// forge sends segments from a namespace.
func forge(t *testing.T, space *netspace.Space, segments ...segment) {
	t.Helper()
	must(t, do(space, func() (err error) {
		socket, err := unix.Socket(unix.AF_INET, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.IPPROTO_RAW)
		if err != nil {
			return fmt.Errorf("open a raw socket: %w", err)
		}
		defer func() { err = errors.Join(err, unix.Close(socket)) }()
		for _, s := range segments {
			if err := unix.Sendto(socket, s.bytes(), 0, &unix.SockaddrInet4{Addr: s.to.Addr().As4()}); err != nil {
				return fmt.Errorf("send a forged segment: %w", err)
			}
		}
		return nil
	}))
}

// Not in package unix.
const (
	tcpRepairOffQuietly = -1 // without a window probe
	receiveQueue        = 1
	sendQueue           = 2
)

// numbers returns the next sequence number of the client, and that of the server.
func (c *Conn) numbers(t *testing.T) (own, server uint32) {
	t.Helper()
	c.control(t, func(fd int) error {
		if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_REPAIR, 1); err != nil {
			return fmt.Errorf("read sequence numbers: %w", err)
		}
		for _, queue := range []struct {
			which int
			next  *uint32
		}{{sendQueue, &own}, {receiveQueue, &server}} {
			if err := unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_REPAIR_QUEUE, queue.which); err != nil {
				return err
			}
			next, err := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_QUEUE_SEQ)
			if err != nil {
				return err
			}
			*queue.next = uint32(next)
		}
		return unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_REPAIR, tcpRepairOffQuietly)
	})
	return own, server
}

// abandon closes the client's socket without a packet, as if the client had lost power.
func (c *Conn) abandon(t *testing.T) {
	t.Helper()
	c.control(t, func(fd int) error { return unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_REPAIR, 1) })
	c.Close()
}

func (c *Conn) control(t *testing.T, run func(fd int) error) {
	t.Helper()
	raw, err := c.tcp(t).SyscallConn()
	must(t, err)
	must(t, raw.Control(func(fd uintptr) { err = run(int(fd)) }), err)
}
