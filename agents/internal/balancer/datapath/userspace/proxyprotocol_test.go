package userspace

import (
	"encoding/hex"
	"net/netip"
	"testing"
)

func TestProxyHeader(t *testing.T) {
	const signature = "0d0a0d0a000d0a515549540a"
	for _, test := range []struct{ name, client, service, want string }{
		{"IPv4", "198.51.100.7:40000", "192.0.2.1:80", signature + "21" + "11" + "000c" + "c6336407" + "c0000201" + "9c40" + "0050"},
		{"IPv6", "[2001:db8::7]:40000", "[2001:db8::1]:443", signature + "21" + "21" + "0024" +
			"20010db8000000000000000000000007" + "20010db8000000000000000000000001" + "9c40" + "01bb"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := proxyHeader(netip.MustParseAddrPort(test.client), netip.MustParseAddrPort(test.service))
			if hex.EncodeToString(got) != test.want {
				t.Errorf("got  %x\nwant %s", got, test.want)
			}
		})
	}
}
