package datapathtest

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

// A full-size packet must pass a narrow path upwards, and be rejected downwards: its
// sender gets a packet-too-big error.
func TestNarrowIsOneWay(t *testing.T) {
	privileged.Need(t)
	network := NewNetwork(t, false)
	network.Narrow(t, 1300)
	backend := network.Backends[0]
	for _, c := range []struct {
		client, backend netip.Addr
		headers         int
	}{{prefix4(76, 2).Addr(), backend.IPv4, 28}, {prefix6(76, 2).Addr(), backend.IPv6, 48}} {
		t.Run(c.backend.String(), func(t *testing.T) {
			full := make([]byte, 1500-c.headers)
			up, above := unsplit(t, network.Client, backend.Space, c.backend)
			_, err := up.Write(full)
			must(t, err)
			gets(t, above, len(full))
			down, below := unsplit(t, backend.Space, network.Client, c.client)
			until(t, func() error {
				if _, err := down.Write(full); !errors.Is(err, unix.EMSGSIZE) {
					return fmt.Errorf("the sender of %d bytes down gets %v, not that they are too many", len(full), err)
				}
				return nil
			})
			until(t, func() error { // the error of an earlier datagram may arrive late
				_, err := down.Write(full[:1300-c.headers])
				return err
			})
			gets(t, below, 1300-c.headers)
		})
	}
}

func gets(t *testing.T, receiver net.PacketConn, want int) {
	t.Helper()
	must(t, receiver.SetReadDeadline(time.Now().Add(patience)))
	if n, _, err := receiver.ReadFrom(make([]byte, 2048)); err != nil || n != want {
		t.Fatalf("of %d bytes there arrived %d: %v", want, n, err)
	}
}

// unsplit sends datagrams that must not be fragmented.
func unsplit(t *testing.T, from, to *netspace.Space, address netip.Addr) (sender net.Conn, receiver net.PacketConn) {
	t.Helper()
	must(t, to.Do(func() (err error) {
		receiver, err = net.ListenPacket("udp", netip.AddrPortFrom(address, 0).String())
		return err
	}))
	t.Cleanup(func() { _ = receiver.Close() })
	dialer := &net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		level, option := unix.IPPROTO_IP, unix.IP_MTU_DISCOVER
		if address.Is6() {
			level, option = unix.IPPROTO_IPV6, unix.IPV6_MTU_DISCOVER
		}
		var err error
		control := raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), level, option, unix.IP_PMTUDISC_DO) })
		return errors.Join(control, err)
	}}
	must(t, from.Do(func() (err error) {
		sender, err = dialer.Dial("udp", receiver.LocalAddr().String())
		return err
	}))
	t.Cleanup(func() { _ = sender.Close() })
	return sender, receiver
}
