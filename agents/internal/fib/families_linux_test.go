package fib_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace"
)

// family has the addresses of a test.
type family struct {
	name     string
	links    [3]string // networks of the router, which has the first address of each
	bits     int
	services netip.Prefix
	other    netip.Prefix // not among the services
	beyond   string       // a network behind gateways
}

var families = []family{
	{"IPv4", [3]string{"10.9.0.", "10.9.1.", "10.9.9."}, 24, netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("198.51.100.0/24"), "10.10.0."},
	{"IPv6", [3]string{"fd00:9::", "fd00:9:1::", "fd00:9:9::"}, 64, netip.MustParsePrefix("2001:db8:113::/64"), netip.MustParsePrefix("2001:db8:51::/64"), "fd00:10::"},
}

// ofBoth runs a test for both families.
func ofBoth(t *testing.T, test func(*testing.T, family)) {
	t.Helper()
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) { test(t, f) })
	}
}

// router returns a router with one link and this family's neighbors.
func (f family) router(t *testing.T) *netspace.Space {
	t.Helper()
	return newRouter(t, fmt.Sprintf("%s1/%d", f.links[0], f.bits))
}

// at is the n-th address of a network.
func (f family) at(network string, n byte) netip.Addr {
	if f.services.Addr().Is6() {
		return netip.MustParseAddr(fmt.Sprintf("%s%x", network, n))
	}
	return netip.MustParseAddr(fmt.Sprintf("%s%d", network, n))
}

func (f family) addresses(last ...byte) (addresses []netip.Addr) {
	for _, n := range last {
		addresses = append(addresses, f.at(f.links[0], n))
	}
	return addresses
}

func (f family) hops(last ...byte) []fib.Hop { return asHops(f.addresses(last...)...) }

func (f family) behind(last ...byte) (addresses []netip.Addr) {
	for _, n := range last {
		addresses = append(addresses, f.at(f.beyond, n))
	}
	return addresses
}

// beyondBy is the route to the network behind gateways, in the syntax of ip(8).
func (f family) beyondBy(gateway byte) string {
	return fmt.Sprintf("%s0/%d via %s", f.beyond, f.bits, f.at(f.links[0], gateway))
}

// host is the n-th service.
func (f family) host(n byte) netip.Prefix {
	bytes := f.services.Addr().AsSlice()
	bytes[len(bytes)-1] = n
	address, _ := netip.AddrFromSlice(bytes)
	return netip.PrefixFrom(address, address.BitLen())
}

// ip runs ip(8) for the family.
func (f family) ip(t *testing.T, space *netspace.Space, format string, values ...any) string {
	t.Helper()
	option := "-4"
	if f.services.Addr().Is6() {
		option = "-6"
	}
	return run(t, space, "ip", append([]string{option}, strings.Fields(fmt.Sprintf(format, values...))...)...)
}

func asHops(vias ...netip.Addr) (hops []fib.Hop) {
	for _, via := range vias {
		hops = append(hops, fib.Hop{Via: via, Weight: 1})
	}
	return hops
}
