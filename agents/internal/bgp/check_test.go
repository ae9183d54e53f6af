package bgp_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

// validDesired returns one that passes Check.
func validDesired() bgp.Desired {
	timers := bgp.Timers{Hold: 9 * time.Second, KeepAlive: 3 * time.Second, Retry: 2 * time.Second}
	return bgp.Desired{
		AS: 65021, RouterID: netip.MustParseAddr("10.0.0.1"), Listens: []netip.Addr{netip.MustParseAddr("10.0.0.1")},
		Accepts: []netip.Prefix{netip.MustParsePrefix("203.0.113.0/24")},
		Peers: []bgp.Peer{
			{Address: netip.MustParseAddr("10.0.0.10"), AS: 65021, Timers: timers, Gives: bgp.Best},
			{Callers: netip.MustParsePrefix("10.0.0.0/24"), AS: 65021, Timers: timers},
		},
		Offers: []bgp.Offer{{Prefix: netip.MustParsePrefix("203.0.113.7/32"), NextHop: netip.MustParseAddr("10.0.0.1")}},
	}
}

func TestCheckNamesTheInvalidField(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(*bgp.Desired)
	}{
		{"AS: 0", func(d *bgp.Desired) { d.AS = 0 }},
		{"router ID: (none)", func(d *bgp.Desired) { d.RouterID = netip.Addr{} }},
		{"router ID: fd00::1", func(d *bgp.Desired) { d.RouterID = netip.MustParseAddr("fd00::1") }},
		{"peer 10.0.0.0/24: it connects to this host, and no listen address is set", func(d *bgp.Desired) { d.Listens = nil }},
		{"peer 10.0.0.10: it is listed twice", func(d *bgp.Desired) { d.Peers[1] = d.Peers[0] }},
		{"peer invalid Prefix: set either an address", func(d *bgp.Desired) { d.Peers[0].Address = netip.Addr{} }},
		{"set either an address", func(d *bgp.Desired) { d.Peers[0].Callers = d.Peers[1].Callers }},
		{"peer 224.0.0.1: this can't be a router's address", func(d *bgp.Desired) { d.Peers[0].Address = netip.MustParseAddr("224.0.0.1") }},
		{"use 10.0.0.0/24", func(d *bgp.Desired) { d.Peers[1].Callers = netip.MustParsePrefix("10.0.0.1/24") }},
		{"any host could connect", func(d *bgp.Desired) { d.Peers[1].Callers = netip.MustParsePrefix("0.0.0.0/0") }},
		{"peer 10.0.0.10: AS: 0", func(d *bgp.Desired) { d.Peers[0].AS = 0 }},
		{"source fd00::1", func(d *bgp.Desired) { d.Peers[0].Source = netip.MustParseAddr("fd00::1") }},
		{"password: it has 81 bytes", func(d *bgp.Desired) { d.Peers[0].Password = bgp.Secret(strings.Repeat("x", 81)) }},
		{"both address families", func(d *bgp.Desired) { d.Peers[0].NoIPv4, d.Peers[0].NoIPv6 = true, true }},
		{`"some" is unknown`, func(d *bgp.Desired) { d.Peers[0].Gives = "some" }},
		{"hold time 2s", func(d *bgp.Desired) { d.Peers[0].Timers.Hold = 2 * time.Second }},
		{"keep-alive time 4s", func(d *bgp.Desired) { d.Peers[0].Timers.KeepAlive = 4 * time.Second }},
		{"retry time 0s", func(d *bgp.Desired) { d.Peers[0].Timers.Retry = 0 }},
		{"detection by BFD every 1ms × 3", func(d *bgp.Desired) { d.Peers[0].Detection = bgp.Detection{Interval: time.Millisecond, Multiplier: 3} }},
		{"accepted prefix 0.0.0.0/0: a default route", func(d *bgp.Desired) { d.Accepts[0] = netip.MustParsePrefix("0.0.0.0/0") }},
		{"accepted prefix invalid Prefix: it is not a prefix", func(d *bgp.Desired) { d.Accepts[0] = netip.Prefix{} }},
		{"offer of ::/0: a default route", func(d *bgp.Desired) { d.Offers[0].Prefix = netip.MustParsePrefix("::/0") }},
		{"offer of 203.0.113.7/24: host bits are set", func(d *bgp.Desired) { d.Offers[0].Prefix = netip.MustParsePrefix("203.0.113.7/24") }},
		{"offer of 203.0.113.7/32: next hop fd00::1", func(d *bgp.Desired) { d.Offers[0].NextHop = netip.MustParseAddr("fd00::1") }},
		{"offer of 203.0.113.7/32: it is listed twice", func(d *bgp.Desired) { d.Offers = append(d.Offers, d.Offers[0]) }},
	} {
		desired := validDesired()
		c.spoil(&desired)
		if err := desired.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want %q", err, c.want)
		}
	}
	desired := validDesired()
	if err := desired.Check(); err != nil {
		t.Errorf("valid settings are rejected: %v", err)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	desired := validDesired()
	desired.Peers[0].Password = "correct horse"
	encoded, err := json.Marshal(desired)
	if err != nil {
		t.Fatal(err)
	}
	for _, printed := range []string{fmt.Sprintf("%v %+v %#v %s %q", desired, desired, desired, desired.Peers[0].Password, desired.Peers[0].Password), string(encoded)} {
		if strings.Contains(printed, "correct") {
			t.Errorf("printed %s", printed)
		}
	}
	if desired.Peers[0].Password.Reveal() != "correct horse" {
		t.Error("the password is lost")
	}
}
