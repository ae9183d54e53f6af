package clients

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

const (
	bufferBytes   = 128 << 10 // the kernel doubles it; a burst beyond it is dropped there
	offloadHeader = 10        // struct virtio_net_hdr of linux/virtio_net.h
	mergedAt      = 4         // gso_size in it
	auxiliary     = 20        // bytes of struct tpacket_auxdata of linux/if_packet.h
	lengthAt      = 4         // tp_len in it
	networkAt     = 14        // tp_net in it
)

// socketTap is a packet socket.
type socketTap struct {
	socket   int
	name     string
	ethernet bool
	buffer   [offloadHeader + headersMost]byte
	control  [128]byte
}

// Open opens a tap on an interface. It selects no packet yet.
func Open(name string) (Tap, error) {
	link, err := net.InterfaceByName(name)
	if err != nil {
		return nil, fmt.Errorf("find interface %s: %w", name, err)
	}
	socket, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("open a packet socket: %w", err)
	}
	t := &socketTap{socket: socket, name: name, ethernet: len(link.HardwareAddr) == ethernetAddress}
	if err := t.configure(link.Index); err != nil {
		return nil, errors.Join(fmt.Errorf("listen on %s: %w", name, err), t.Close())
	}
	return t, nil
}

func (t *socketTap) configure(link int) error {
	// The filter is attached first: packets that arrive before it is bound would otherwise be selected.
	if err := t.Pause(); err != nil {
		return err
	}
	for _, option := range []struct{ level, name, value int }{
		{unix.SOL_SOCKET, unix.SO_RCVBUF, bufferBytes},
		{unix.SOL_PACKET, unix.PACKET_AUXDATA, 1},
		{unix.SOL_PACKET, unix.PACKET_VNET_HDR, 1}, // has the size of merged segments
	} {
		if err := unix.SetsockoptInt(t.socket, option.level, option.name, option.value); err != nil {
			return err
		}
	}
	// Linux 4.20 and newer; an older one passes them to the filter, which rejects them.
	_ = unix.SetsockoptInt(t.socket, unix.SOL_PACKET, unix.PACKET_IGNORE_OUTGOING, 1)
	// Only a socket for all protocols gets packets before an eBPF program at tcx takes them.
	const everyProtocol = uint16(unix.ETH_P_ALL)<<8 | uint16(unix.ETH_P_ALL)>>8 // network order
	return unix.Bind(t.socket, &unix.SockaddrLinklayer{Protocol: everyProtocol, Ifindex: link})
}

// Accept implements Tap.
func (t *socketTap) Accept(oneIn uint32, addresses []netip.Addr) error {
	return t.attach(selectOneIn(oneIn, addresses, t.ethernet))
}

// Pause implements Tap.
func (t *socketTap) Pause() error { return t.attach(selectNone) }

// Read implements Tap.
func (t *socketTap) Read() (Packet, bool, error) {
	for {
		n, control, _, _, err := unix.Recvmsg(t.socket, t.buffer[:], t.control[:], 0)
		switch {
		case errors.Is(err, unix.EAGAIN):
			return Packet{}, false, nil
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.EINVAL):
			// EINVAL: segments merged in a way that struct virtio_net_hdr can't describe. The
			// kernel has removed the packet, which is lost.
			continue
		case err != nil:
			return Packet{}, false, fmt.Errorf("read from %s: %w", t.name, err)
		}
		packet, ok := unpack(t.buffer[:n], t.control[:control])
		if ok {
			return packet, true, nil
		}
	}
}

// unpack splits a message into the offload header, the link header and the rest.
func unpack(message, control []byte) (Packet, bool) {
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil || len(message) < offloadHeader {
		return Packet{}, false
	}
	for _, one := range messages {
		if one.Header.Level != unix.SOL_PACKET || one.Header.Type != unix.PACKET_AUXDATA || len(one.Data) < auxiliary {
			continue
		}
		length := binary.NativeEndian.Uint32(one.Data[lengthAt:])
		network := int(binary.NativeEndian.Uint16(one.Data[networkAt:]))
		frame := message[offloadHeader:]
		if network > len(frame) {
			return Packet{}, false
		}
		merged := binary.NativeEndian.Uint16(message[mergedAt:])
		return Packet{Data: frame[network:], Length: int(length), Link: network, Merged: int(merged)}, true
	}
	return Packet{}, false
}

// Selected implements Tap.
func (t *socketTap) Selected() (int, error) {
	counts, err := unix.GetsockoptTpacketStats(t.socket, unix.SOL_PACKET, unix.PACKET_STATISTICS)
	if err != nil {
		return 0, fmt.Errorf("count the packets of %s: %w", t.name, err)
	}
	return int(counts.Packets), nil // includes dropped ones
}

// Close implements Tap.
func (t *socketTap) Close() error { return unix.Close(t.socket) }
