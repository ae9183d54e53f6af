package delivery

import (
	"fmt"
	"net/netip"
	"testing"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/rawip"
)

var (
	serviceAddress = netip.MustParseAddr("192.0.2.1")
	backendAddress = netip.MustParseAddr("10.0.0.1")
	ownAddress     = netip.MustParseAddr("10.0.0.9")
)

func TestWhatAnswersProve(t *testing.T) {
	const accepts, rejects, answers byte = rawip.SYN | rawip.ACK, rawip.RST | rawip.ACK, 0
	const (
		refused   = "refuses connections to the service address 192.0.2.1:53/tcp: check that its server listens there"
		elsewhere = "answers from 10.0.0.1 instead of the service address 192.0.2.1: its server has to send from the address that was asked"
	)
	for _, c := range []struct {
		name     string
		protocol datapath.Protocol
		check    health.Check
		asked    string // protocol and port
		from     netip.Addr
		flags    byte
		want     string
	}{
		{"accepted", datapath.TCP, health.Check{Kind: health.TCP}, "tcp 53", serviceAddress, accepts, ""},
		{"refused, but not at the own address", datapath.TCP, health.Check{Kind: health.HTTP}, "tcp 53", serviceAddress, rejects, refused},
		{"refused, and another port is checked", datapath.TCP, health.Check{Kind: health.HTTP, Port: 8080}, "tcp 53", serviceAddress, rejects, ""},
		{"refused, and UDP is checked", datapath.TCP, health.Check{Kind: health.UDP}, "tcp 53", serviceAddress, rejects, ""},
		{"a datagram", datapath.UDP, health.Check{Kind: health.UDP}, "udp 53", serviceAddress, answers, ""},
		{"a datagram from the own address", datapath.UDP, health.Check{Kind: health.UDP}, "udp 53", backendAddress, answers, elsewhere},
		{"UDP, refused at the checked port", datapath.UDP, health.Check{Kind: health.TCP, Port: 8080}, "tcp 8080", serviceAddress, rejects, ""},
		{"UDP, refused at the service's port", datapath.UDP, health.Check{Kind: health.TCP}, "tcp 53", serviceAddress, rejects, ""},
	} {
		target := health.Target{Address: backendAddress, Port: 53, Check: c.check, Path: health.Path{
			Service: datapath.Key{Address: serviceAddress, Port: 53, Protocol: c.protocol}, Delivery: datapath.Direct,
		}}
		flow, _ := questionFor(target)
		asked := fmt.Sprint(map[byte]string{rawip.TCP: "tcp", rawip.UDP: "udp"}[flow.Protocol], " ", flow.To.Port())
		if flow.To.Addr() != serviceAddress || asked != c.asked {
			t.Errorf("%s: asked %s %s, want %s", c.name, asked, flow.To, c.asked)
		}
		got := ""
		if err := judge(target, flow, rawip.Answer{From: netip.AddrPortFrom(c.from, flow.To.Port()), Flags: c.flags, Protocol: flow.Protocol}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestReasonsNameTheDelivery(t *testing.T) {
	for delivery, want := range map[datapath.Delivery]string{
		datapath.Direct: "isn't reached at the service address 192.0.2.1: check that the address is set on its lo",
		datapath.Tunnel: "isn't reached at the service address 192.0.2.1 through the tunnel: check that it decapsulates packets from 10.0.0.9, and that the address is set on its lo",
		datapath.GUE:    "isn't reached at the service address 192.0.2.1 through GUE: check that it decapsulates packets from 10.0.0.9, and that the address is set on its lo",
	} {
		path := health.Path{Service: datapath.Key{Address: serviceAddress, Port: 53, Protocol: datapath.UDP}, Delivery: delivery}
		if got := unanswered(path, ownAddress).Error(); got != want {
			t.Errorf("%s: %q", delivery, got)
		}
	}
}
