package datapathtest

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
)

func prefix4(lan, host int) netip.Prefix {
	return netip.MustParsePrefix(fmt.Sprintf("10.%d.0.%d/24", lan, host))
}

func prefix6(lan, host int) netip.Prefix {
	return netip.MustParsePrefix(fmt.Sprintf("fd%d::%d/64", lan, host))
}

func ipNet(prefix netip.Prefix) *net.IPNet {
	return &net.IPNet{IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen())}
}

func unspecified(like netip.Addr) netip.Addr {
	if like.Is4() {
		return netip.IPv4Unspecified()
	}
	return netip.IPv6Unspecified()
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
