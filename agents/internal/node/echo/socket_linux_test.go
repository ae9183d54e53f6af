package echo

import (
	"net"
	"net/netip"
	"testing"
	"time"
)

func newSocket(t *testing.T) (*net.UDPConn, netip.AddrPort) {
	t.Helper()
	conn, at := listen(t)
	if err := addArrivals(conn); err != nil {
		t.Fatal(err)
	}
	return conn, at
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
