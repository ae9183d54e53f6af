package speaker_test

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/hostaddress"
	"fairlead.dev/agents/internal/speaker"
)

var host = hostaddress.Addresses{IPv4: own, IPv6: netip.MustParseAddr("fd00::1")}

func config() *agentv1.NodeConfig {
	return &agentv1.NodeConfig{Speaker: &agentv1.SpeakerRole{
		Bgp:     &agentv1.Bgp{As: 65021, Peers: []*agentv1.BgpPeer{{Address: "10.0.0.10", As: 65021}}},
		DrainMs: 30_000,
		Services: []*agentv1.SpeakerService{
			{LoadBalancerId: "lb_2", Prefix: "2001:db8::7/128", Probes: []*agentv1.SpeakerProbe{{Address: "2001:db8::7", Port: 443, Protocol: "tcp"}}},
			{
				LoadBalancerId: "lb_1", Prefix: "203.0.113.7/32", Preference: 200, Med: 5, Weight: 40_000, Communities: []string{"65021:100"}, Plain: true, Leaving: true,
				Probes: []*agentv1.SpeakerProbe{{Address: "203.0.113.7", Port: 53, Protocol: "udp", HealthCheck: &agentv1.HealthCheck{
					Type: "udp", Send: []byte("ping"), IntervalMs: 500, Port: 5353, Rise: 1, Fall: 1,
				}}},
			},
		},
	}}
}

func TestParseDesired(t *testing.T) {
	got, err := speaker.ParseDesired(config(), host)
	if err != nil {
		t.Fatal(err)
	}
	want := []speaker.Service{{
		LoadBalancer: "lb_1", Plain: true, Leaving: true,
		Offer: bgp.Offer{Prefix: prefix, NextHop: own, Preference: 200, MED: 5, Bandwidth: 40_000, Communities: []bgp.Community{65021<<16 | 100}},
		Probes: []health.Target{{Address: prefix.Addr(), Port: 53, Check: health.Check{
			Kind: health.UDP, Send: "ping", Interval: 500 * time.Millisecond, Timeout: 500 * time.Millisecond, Rise: 1, Fall: 1,
		}}},
	}, {
		LoadBalancer: "lb_2",
		Offer:        bgp.Offer{Prefix: netip.MustParsePrefix("2001:db8::7/128"), NextHop: host.IPv6, Preference: 100},
		Probes: []health.Target{{Address: netip.MustParseAddr("2001:db8::7"), Port: 443, Check: health.Check{
			Kind: health.TCP, Interval: 200 * time.Millisecond, Timeout: 200 * time.Millisecond, Rise: 1, Fall: 3,
		}}},
	}}
	if !got.On || got.DrainFor != 30*time.Second || got.BGP.Peers[0].Gives != bgp.Best || !reflect.DeepEqual(got.Services, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	t.Run("UDP without its own check uses the balancer's checks", func(t *testing.T) {
		bare := config()
		bare.Speaker.Services[1].Probes[0].HealthCheck = nil
		got, err := speaker.ParseDesired(bare, host)
		if err != nil || got.Services[0].Probes[0].Check.Kind != "" {
			t.Fatalf("got %+v, %v", got, err)
		}
	})
	if off, err := speaker.ParseDesired(&agentv1.NodeConfig{}, host); err != nil || off.On {
		t.Errorf("off: %+v, %v", off, err)
	}
}

func TestConfigErrorsNameTheServiceAndTheFix(t *testing.T) {
	service := func(change func(*agentv1.SpeakerService)) func(*agentv1.SpeakerRole) {
		return func(r *agentv1.SpeakerRole) { change(r.Services[1]) }
	}
	for want, spoil := range map[string]func(*agentv1.SpeakerRole){
		"draining for 2h0m0s is too long; use":                          func(r *agentv1.SpeakerRole) { r.DrainMs = 7_200_000 },
		"service seven: its prefix is not valid; use":                   service(func(s *agentv1.SpeakerService) { s.Prefix = "seven" }),
		`service 203.0.113.7/32: next hop "me" is not an address; use`:  service(func(s *agentv1.SpeakerService) { s.NextHop = "me" }),
		`service 203.0.113.7/32: community "x" is not valid; use`:       service(func(s *agentv1.SpeakerService) { s.Communities = []string{"x"} }),
		"its port is not valid; use":                                    service(func(s *agentv1.SpeakerService) { s.Probes[0].Port = 0 }),
		"its address is not valid; use":                                 service(func(s *agentv1.SpeakerService) { s.Probes[0].Address = "" }),
		"port 53/tcp: its health check doesn't match the protocol; use": service(func(s *agentv1.SpeakerService) { s.Probes[0].Protocol = "tcp" }),
		"port 53/sctp: its protocol isn't supported; use":               service(func(s *agentv1.SpeakerService) { s.Probes[0].Protocol = "sctp" }),
		"nothing to send; give":                                         service(func(s *agentv1.SpeakerService) { s.Probes[0].HealthCheck.Send = nil }),
		"it has no probe":                                               service(func(s *agentv1.SpeakerService) { s.Probes = nil }),
	} {
		bad := config()
		spoil(bad.Speaker)
		if _, err := speaker.ParseDesired(bad, host); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
	if _, err := speaker.ParseDesired(config(), hostaddress.Addresses{IPv4: own}); err == nil || !strings.Contains(err.Error(), "2001:db8::7/128: next hop (none)") {
		t.Errorf("without an IPv6 address: %v", err)
	}
}

// A process that stops has at least the drain time to leave.
func TestLeaveTimeExceedsTheDrainTime(t *testing.T) {
	role := speaker.NewRole(newReplica(t).Driver, "lo")
	for _, drain := range []time.Duration{0, time.Minute, time.Hour} {
		if most := role.LeaveMost(speaker.Desired{On: true, DrainFor: drain}); most <= drain {
			t.Errorf("drain time %s, leave time %s", drain, most)
		}
	}
}
