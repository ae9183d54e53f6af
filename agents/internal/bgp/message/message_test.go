package message_test

import (
	"log/slog"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/events"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/hostaddress"
)

var host = hostaddress.Addresses{IPv4: netip.MustParseAddr("10.0.0.1"), IPv6: netip.MustParseAddr("fd00::1")}

func parse(t *testing.T, config *agentv1.Bgp) (bgp.Desired, error) {
	t.Helper()
	return message.ParseBgp(config, host, func(peer *bgp.Peer, _ *agentv1.BgpPeer) { peer.Gives = bgp.Best })
}

func TestParseBgpFillsInDefaults(t *testing.T) {
	got, err := parse(t, &agentv1.Bgp{As: 65021, Peers: []*agentv1.BgpPeer{
		{Callers: "10.0.0.0/24", As: 65021, DetectIntervalMs: 100},
		{Address: "10.0.0.10", As: 65100, HoldSeconds: 30, KeepAliveSeconds: 5, RetrySeconds: 7, Password: "of the two", NearOnly: true, MostRoutes: 50, DetectIntervalMs: 50, DetectMultiplier: 5},
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := bgp.Desired{AS: 65021, RouterID: host.IPv4, Listens: []netip.Addr{host.IPv4, host.IPv6}, Peers: []bgp.Peer{
		{
			Callers: netip.MustParsePrefix("10.0.0.0/24"), AS: 65021, Gives: bgp.Best,
			Timers:    bgp.Timers{Hold: 9 * time.Second, KeepAlive: 3 * time.Second, Retry: time.Second},
			Detection: bgp.Detection{Interval: 100 * time.Millisecond, Multiplier: 3},
		},
		{
			Address: netip.MustParseAddr("10.0.0.10"), AS: 65100, Gives: bgp.Best, Password: "of the two", NearOnly: true, MostRoutes: 50,
			Timers:    bgp.Timers{Hold: 30 * time.Second, KeepAlive: 5 * time.Second, Retry: 7 * time.Second},
			Detection: bgp.Detection{Interval: 50 * time.Millisecond, Multiplier: 5},
		},
	}}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	t.Run("no listener without dynamic peers", func(t *testing.T) {
		got, err := parse(t, &agentv1.Bgp{As: 65021, RouterId: "10.9.9.9", Peers: []*agentv1.BgpPeer{{Address: "fd00::2", As: 65021}}})
		if err != nil || len(got.Listens) > 0 || got.RouterID != netip.MustParseAddr("10.9.9.9") {
			t.Fatalf("got %+v, %v", got, err)
		}
	})
}

func TestErrorsNameThePeerAndTheFixButNoPassword(t *testing.T) {
	for name, test := range map[string]struct {
		config *agentv1.Bgp
		want   string
	}{
		"router ID": {&agentv1.Bgp{RouterId: "fd00::1"}, `router ID "fd00::1" is not an IPv4 address; use one`},
		"address":   {&agentv1.Bgp{Peers: []*agentv1.BgpPeer{{Address: "tor-1", Password: "of the two"}}}, `peer tor-1: "tor-1" is not an address; use`},
		"callers":   {&agentv1.Bgp{Peers: []*agentv1.BgpPeer{{Callers: "10.0.0.0"}}}, `peer 10.0.0.0: "10.0.0.0" is not a prefix; use`},
		"BFD":       {&agentv1.Bgp{Peers: []*agentv1.BgpPeer{{Address: "10.0.0.2", DetectIntervalMs: 100, DetectMultiplier: 256}}}, "a multiplier of 256 is too large; use"},
		"peers":     {&agentv1.Bgp{Peers: make([]*agentv1.BgpPeer, 1001)}, "1001 peers are too many; use at most 1000"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(t, test.config)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "of the two") {
				t.Fatalf("got %v, want %q", err, test.want)
			}
		})
	}
	if _, err := message.ParseBgp(&agentv1.Bgp{}, hostaddress.Addresses{}, nil); err == nil || !strings.Contains(err.Error(), "router ID is missing") {
		t.Errorf("without an address: %v", err)
	}
}

func TestPrefixesAndCommunities(t *testing.T) {
	prefixes, err := message.ParsePrefixes([]string{"203.0.113.0/24", "198.51.100.0/24", "203.0.113.0/24"})
	if err != nil || len(prefixes) != 2 || prefixes[0].String() != "198.51.100.0/24" {
		t.Errorf("prefixes %v, %v", prefixes, err)
	}
	if _, err := message.ParsePrefixes([]string{"203.0.113.7"}); err == nil || !strings.Contains(err.Error(), "use one such as") {
		t.Errorf("an address is accepted as %v", err)
	}
	communities, err := message.ParseCommunities([]string{"65021:100", "1:2"})
	if err != nil || !slices.Equal(communities, []bgp.Community{1<<16 | 2, 65021<<16 | 100}) {
		t.Errorf("communities %v, %v", communities, err)
	}
	for _, bad := range []string{"65536:1", "1", "1:x", "a:1", "1:2:3"} {
		if _, err := message.ParseCommunities([]string{bad}); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

func TestChangesBecomeEvents(t *testing.T) {
	peer := netip.MustParseAddr("10.0.0.10")
	changes := bgp.Changes{Sessions: []bgp.Transition{
		{Peer: peer, AS: 65100, State: bgp.Established}, {Peer: peer, AS: 65100, State: bgp.Idle, Reason: "the hold timer expired"},
	}}
	for i := range 12 {
		changes.Refused = append(changes.Refused, bgp.Refusal{Peer: peer, Prefix: netip.PrefixFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}), 32)})
	}
	to := events.Events{Log: slog.New(slog.DiscardHandler)}
	message.Record(&to, changes)
	reported := to.Take()
	if len(reported) != 13 {
		t.Fatalf("got %d: %v", len(reported), reported)
	}
	for at, want := range map[int][2]string{
		0:  {"BgpSessionUp", "The BGP session with 10.0.0.10 of AS 65100 is up."},
		1:  {"BgpSessionDown", "The BGP session with 10.0.0.10 of AS 65100 is down: the hold timer expired."},
		2:  {"BgpRouteRefused", "The route to 192.0.2.0/32 from 10.0.0.10 is refused: it is outside the accepted prefixes."},
		12: {"BgpRouteRefused", "2 more routes of peers are refused."},
	} {
		if got := reported[at]; got.GetReason() != want[0] || got.GetMessage() != want[1] {
			t.Errorf("event %d: got %v, want %v", at, got, want)
		}
	}
}
