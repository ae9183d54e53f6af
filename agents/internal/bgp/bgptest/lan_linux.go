package bgptest

import (
	"fmt"
	"net/netip"
	"os"
	"sync/atomic"
	"testing"

	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/privileged"
)

// Interface is the name of each host's only link.
const Interface = "eth0"

// LAN is a switch. Hosts are deleted when the test ends.
type LAN struct {
	Switch *netspace.Space
	name   string
	hosts  int
}

// Host is one on the switch, at 10.79.0.N/24 and fd79::N/64.
type Host struct {
	Name  string
	Space *netspace.Space
	IPv4  netip.Addr
	IPv6  netip.Addr
}

var lans atomic.Int32

// Prefix4 and Prefix6 contain the addresses of all hosts.
var (
	Prefix4 = netip.MustParsePrefix("10.79.0.0/24")
	Prefix6 = netip.MustParsePrefix("fd79::/64")
)

// NewLAN creates a switch without hosts.
func NewLAN(t *testing.T) *LAN {
	t.Helper()
	privileged.Need(t)
	lan := &LAN{name: fmt.Sprintf("flbgp%d-%d", os.Getpid(), lans.Add(1))}
	lan.Switch = lan.space(t, "switch")
	must(t, lan.Switch.AddBridge("lan"))
	return lan
}

// Add connects a new host.
func (l *LAN) Add(t *testing.T, name string) *Host {
	t.Helper()
	l.hosts++
	four, six := Prefix4.Addr().As4(), Prefix6.Addr().As16()
	four[3], six[15] = byte(l.hosts), byte(l.hosts)
	host := &Host{Name: name, Space: l.space(t, name), IPv4: netip.AddrFrom4(four), IPv6: netip.AddrFrom16(six)}
	must(t, netspace.Connect(
		netspace.End{Space: l.Switch, Interface: fmt.Sprintf("port%d", l.hosts), Bridge: "lan"},
		netspace.End{Space: host.Space, Interface: Interface, Addresses: []netip.Prefix{
			netip.PrefixFrom(host.IPv4, Prefix4.Bits()), netip.PrefixFrom(host.IPv6, Prefix6.Bits()),
		}},
	))
	must(t, host.Space.SetSysctls(map[string]string{
		"net/ipv4/conf/all/forwarding": "1", "net/ipv6/conf/all/forwarding": "1",
		"net/ipv4/fib_multipath_hash_policy": "1", "net/ipv6/fib_multipath_hash_policy": "1",
	}))
	return host
}

func (l *LAN) space(t *testing.T, name string) *netspace.Space {
	t.Helper()
	space, err := netspace.New(l.name + "-" + name)
	must(t, err)
	t.Cleanup(func() {
		if err := space.Delete(); err != nil {
			t.Error(err)
		}
	})
	return space
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}
