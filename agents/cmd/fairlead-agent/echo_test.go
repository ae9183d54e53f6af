package main

import (
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
)

func TestEchoesAreReturnedAtAnAddressThatOtherNodesReach(t *testing.T) {
	for _, test := range []struct{ setting, problem string }{
		{"", ""}, {"off", ""}, {"10.0.0.1:7445", ""}, {"[2001:db8::1]:7445", ""},
		{"0.0.0.0:7445", "isn't an address at which other nodes reach this one"},
		{":7445", "isn't an address"}, {"10.0.0.1", "isn't an address"},
	} {
		meter, err := newMeter(&settings{echoListen: test.setting}, slog.New(slog.DiscardHandler))
		if (err == nil) != (test.problem == "") || err != nil && !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%q: %v", test.setting, err)
		}
		if isOff := meter == nil; err == nil && isOff != (test.setting == "off") {
			t.Errorf("%q: off is %v", test.setting, isOff)
		}
	}
}

// A loopback address would be another host's own.
func TestALoopbackAddressIsNotReported(t *testing.T) {
	got, err := echoAddress(t.Context(), "https://127.0.0.1:7443")
	if err == nil || !strings.Contains(err.Error(), "--echo-listen") {
		t.Fatalf("got %v, %v", got, err)
	}
}

func TestTheAddressIsTheOneTowardsTheControlPlane(t *testing.T) {
	conn, err := net.Dial("udp", "192.0.2.1:7443")
	if err != nil {
		if got, err := echoAddress(t.Context(), "https://192.0.2.1"); err == nil {
			t.Errorf("without a route: %v", got)
		}
		return
	}
	defer conn.Close()
	want := netip.AddrPortFrom(netip.MustParseAddrPort(conn.LocalAddr().String()).Addr(), echoPort)
	if got, err := echoAddress(t.Context(), "https://192.0.2.1"); err != nil || got != want {
		t.Fatalf("got %v, %v, want %v", got, err, want)
	}
}
