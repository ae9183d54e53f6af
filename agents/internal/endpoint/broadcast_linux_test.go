package endpoint

import (
	"errors"
	"net"
	"net/netip"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAPeerCannotBeABroadcastAddress(t *testing.T) {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := rejectBroadcasts(conn); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.WriteToUDPAddrPort([]byte("x"), netip.MustParseAddrPort("127.255.255.255:9")); !errors.Is(err, unix.EACCES) {
		t.Fatalf("got %v", err)
	}
}
