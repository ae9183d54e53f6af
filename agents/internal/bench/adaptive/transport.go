package adaptive

import (
	"fmt"
	"net/netip"
)

// transport is how requests are sent. Each is one connection of TCP, or one datagram of UDP with a socket of its own.
type transport string

const (
	overTCP  transport = "" // over IPv4
	overUDP  transport = "UDP"
	overIPv6 transport = "IPv6" // and TCP
)

var transports = []transport{overTCP, overUDP, overIPv6}

// Services of the lab, which no interface has. Only IPVS needs its own to be local.
var (
	ourServices = map[transport]netip.AddrPort{
		overTCP:  netip.MustParseAddrPort("10.96.0.10:80"),
		overUDP:  netip.MustParseAddrPort("10.96.0.10:80"),
		overIPv6: netip.MustParseAddrPort("[fd00:96::10]:80"),
	}
	translatedService = netip.MustParseAddrPort("10.96.0.11:80") // of iptables; TCP over IPv4
	virtualService    = netip.MustParseAddrPort("10.96.0.12:80") // of IPVS
)

const serverPort = 8080

// protocol is the name in configs.
func (over transport) protocol() string {
	if over == overUDP {
		return "udp"
	}
	return "tcp"
}

func (over transport) backends() (all [nodes]netip.AddrPort) {
	for i := range all {
		at := addressOf(i)
		if over == overIPv6 {
			at = address6Of(i)
		}
		all[i] = netip.AddrPortFrom(at, serverPort)
	}
	return all
}

func addressOf(node int) netip.Addr { return netip.AddrFrom4([4]byte{10, 9, 0, byte(node + 1)}) }

func address6Of(node int) netip.Addr {
	return netip.AddrFrom16([16]byte{0: 0xfd, 2: 9, 15: byte(node + 1)})
}

func nameOf(node int) string { return fmt.Sprintf("n%d", node+1) }
