package wire_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A GSO packet is never segmented on the way: each end expects the other's network card to do it.
func TestAGSOPacketPassesInOnePiece(t *testing.T) {
	line, _ := newLine(t)
	line.Set(2*time.Millisecond, 0)
	listener, err := far(t).Listen(t.Context(), "tcp", "10.9.0.2:80")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	arrives := watch(t, "eth0")
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	conn, err := near(t).Dial(soon, "tcp", "10.9.0.2:80")
	if err != nil {
		t.Fatal(err)
	}
	sent := bytes.Repeat([]byte("segment "), 1500) // 12 kB, which may all be in flight at once
	if _, err := conn.Write(sent); err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	got := receive(t, listener)
	if !bytes.Equal(got, sent) {
		t.Fatalf("%d of %d bytes came", len(got), len(sent))
	}
	const mostUncut = 14 + 1500
	if largest := arrives(); largest <= mostUncut {
		t.Errorf("the largest frame has %d bytes, want one that was not cut to the MTU", largest)
	}
}

// receive reads everything from the first connection.
func receive(t *testing.T, listener net.Listener) []byte {
	t.Helper()
	conn, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	got, err := io.ReadAll(conn)
	if err != nil {
		t.Error(err)
	}
	return got
}

// watch returns the size of the largest frame that has arrived at an interface of the far end.
func watch(t *testing.T, name string) (largest func() int) {
	t.Helper()
	space := far(t)
	link, err := space.Links().LinkByName(name)
	if err != nil {
		t.Fatal(err)
	}
	var socket int
	err = space.Do(func() (err error) {
		socket, err = unix.Socket(unix.AF_PACKET, unix.SOCK_RAW|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(socket) })
	if err := unix.SetsockoptInt(socket, unix.SOL_PACKET, unix.PACKET_IGNORE_OUTGOING, 1); err != nil {
		t.Fatal(err)
	}
	const everyProtocol = uint16(unix.ETH_P_ALL)<<8 | uint16(unix.ETH_P_ALL)>>8 // network order
	if err := unix.Bind(socket, &unix.SockaddrLinklayer{Protocol: everyProtocol, Ifindex: link.Attrs().Index}); err != nil {
		t.Fatal(err)
	}
	return func() (most int) {
		for {
			length, _, err := unix.Recvfrom(socket, nil, unix.MSG_TRUNC)
			if err != nil {
				return most
			}
			most = max(most, length)
		}
	}
}
