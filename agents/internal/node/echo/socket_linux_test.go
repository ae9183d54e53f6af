package echo

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func newSocket(t *testing.T) (*net.UDPConn, netip.AddrPort) {
	t.Helper()
	conn, at := listen(t)
	if err := setOptions(conn); err != nil {
		t.Fatal(err)
	}
	return conn, at
}

func TestAPeerCannotBeABroadcastAddress(t *testing.T) {
	conn, _ := newSocket(t)
	_, err := conn.WriteToUDPAddrPort([]byte("x"), netip.MustParseAddrPort("127.255.255.255:9"))
	if !errors.Is(err, unix.EACCES) {
		t.Fatalf("got %v", err)
	}
}

func TestTheTimeOfArrivalIsReadWithoutAllocations(t *testing.T) {
	conn, at := newSocket(t)
	before := time.Now().Round(0)
	if _, err := conn.WriteToUDPAddrPort([]byte("x"), at); err != nil {
		t.Fatal(err)
	}
	var buffer [1]byte
	var control [controlMost]byte
	_, n, _, _, err := conn.ReadMsgUDPAddrPort(buffer[:], control[:])
	if err != nil {
		t.Fatal(err)
	}
	if got := arrival(control[:n]); got.Before(before.Add(-time.Second)) || got.After(time.Now().Add(time.Second)) {
		t.Fatalf("got %v at %v", got, before)
	}
	if got := testing.AllocsPerRun(100, func() { arrival(control[:n]) }); got > 0 {
		t.Errorf("%v allocations", got)
	}
	for _, control := range [][]byte{nil, control[:3], make([]byte, controlMost)} {
		if got := arrival(control); !got.IsZero() {
			t.Errorf("%v gave %v", control, got)
		}
	}
}
