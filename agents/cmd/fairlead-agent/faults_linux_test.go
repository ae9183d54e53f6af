package main

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp/bgptest"
)

// transcript is the output of a process, readable while it runs.
type transcript struct {
	mutex sync.Mutex
	text  strings.Builder
}

func (p *transcript) Write(part []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.text.Write(part)
}

func (p *transcript) String() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.text.String()
}

// logs waits until a member logs an event whose message contains these texts.
func (m *member) logs(t *testing.T, reason string, words ...string) {
	t.Helper()
	m.logsTimes(t, reason, 1, words...)
}

// logsTimes waits until the event was logged this often.
func (m *member) logsTimes(t *testing.T, reason string, times int, words ...string) {
	t.Helper()
	waitFor(t, fmt.Sprintf("event %s of %s, about %v, %d times", reason, m.Name, words, times), func() bool {
		n := 0
		for line := range strings.Lines(m.printed.String()) {
			if strings.Contains(line, "event="+reason+" ") && !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
				n++
			}
		}
		return n >= times
	})
}

func (m *member) never(t *testing.T, reason string) {
	t.Helper()
	if strings.Contains(m.printed.String(), "event="+reason+" ") {
		t.Errorf("%s reported %s", m.Name, reason)
	}
}

func (m *member) ip(t *testing.T, arguments string) string {
	t.Helper()
	out, err := m.Space.Run(t.Context(), "ip", strings.Fields(arguments)...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestARouterRecoversFromALinkFlap(t *testing.T) {
	t.Parallel()
	s := newSite(t, 2)
	s.start(t)
	both := []netip.Addr{s.speakers[0].IPv4, s.speakers[1].IPv4}
	s.goesBy(t, "both answer", both...)
	time.Sleep(1500 * time.Millisecond) // until it trusts withdrawals

	// Shorter than the hold time: no session ends, so only the kernel reports it.
	if err := s.routing.Space.Down(bgptest.Interface); err != nil {
		t.Fatal(err)
	}
	s.goesBy(t, "the link is down")
	s.routing.logs(t, "RouteNotWritten", offered.String())
	if err := s.routing.Space.Up(bgptest.Interface); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	s.goesBy(t, "the link is back", both...)
	if took := time.Since(began); took > 10*time.Second { // otherwise a router checks only after 30 s
		t.Errorf("took %s", took)
	}
	s.routing.logs(t, "RouteWritten", offered.String())
	s.routing.never(t, "BgpSessionDown")
}

func TestARouteOfAnotherProgramIsNeverTouched(t *testing.T) {
	t.Parallel()
	s := newSite(t, 1)
	foreign := offered.String() + " via 10.79.0.77 dev eth0 proto static metric 20"
	s.routing.ip(t, "route add "+foreign)
	s.start(t)
	s.routing.logs(t, "RouteNotWritten", offered.String(), "another program has a route to it, which stays")
	if routes := s.routing.ip(t, "route show "+offered.String()); strings.TrimSpace(routes) != strings.Replace(foreign, "/32", "", 1) {
		t.Errorf("the route is %q", routes)
	}
	waitFor(t, "warning", func() bool { return strings.Contains(s.routing.page("status"), "another program has a route") })
	s.routing.ip(t, "route del "+offered.String())
	s.routing.ip(t, "address add 10.79.0.99/24 dev eth0") // any change of the host triggers a check
	s.goesBy(t, "the other program has gone", s.speakers[0].IPv4)
	s.routing.logs(t, "RouteWritten", offered.String())

	s.routing.ip(t, "route replace "+foreign) // as a program that ignores our routes does
	s.routing.ip(t, "address del 10.79.0.99/24 dev eth0")
	waitFor(t, "second event", func() bool { return strings.Count(s.routing.printed.String(), "event=RouteNotWritten ") == 2 })
	s.routing.end(t, syscall.SIGTERM)
	if routes := s.routing.ip(t, "route show "+offered.String()); !strings.Contains(routes, "10.79.0.77") {
		t.Errorf("the route is %q", routes)
	}
}

func TestARouteShadowedByAnotherProgramIsReported(t *testing.T) {
	t.Parallel()
	for _, six := range []bool{false, true} {
		t.Run(familyName(six), func(t *testing.T) {
			t.Parallel()
			s := newSiteOf(t, 1, six)
			s.start(t)
			s.goesBy(t, "it answers", s.hosts()...)
			foreign := map[bool]string{false: "10.79.0.77", true: "fd79::77"}[six]
			s.routing.ip(t, fmt.Sprintf("route add %s via %s dev eth0 proto static metric 5", s.service(), foreign))
			s.routing.logs(t, "RouteShadowed", s.service().String(), "protocol static with metric 5 via "+foreign+" dev eth0", "sends none of it to the balancers", "set its metric above 20")
			shown := func() bool { return strings.Contains(s.routing.page("status"), "uses a route of protocol static") }
			waitFor(t, "warning", shown)
			s.routing.ip(t, fmt.Sprintf("route del %s metric 5", s.service()))
			s.routing.logs(t, "RouteUsed", s.service().String())
			waitFor(t, "end of the warning", func() bool { return !shown() })
		})
	}
}

func familyName(six bool) string { return map[bool]string{false: "IPv4", true: "IPv6"}[six] }

// Packets that the kernel drops never reach BGP, so both ends report it by other means.
func TestPacketsDroppedByTheKernelAreReportedAtBothEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, guard, reason, words string }{
		{"a wrong password", `, "password": "right"`, "BgpPasswordWrong", "wrong or missing TCP MD5 password"},
		{"a TTL that is too low", `, "nearOnly": true`, "BgpTtlTooLow", "TTL is too low for GTSM"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, 1)
			s.guard = c.guard
			s.start(t)
			s.reflecting.logs(t, c.reason, c.words)
			s.speakers[0].logs(t, "BgpSessionNotUp", "no BGP session with "+s.reflecting.IPv4.String())
			if hops := s.hops(t); len(hops) > 0 {
				t.Errorf("it is routed by %v", hops)
			}
			for _, m := range []*member{s.reflecting, s.speakers[0]} {
				if strings.Contains(m.printed.String(), "right") {
					t.Errorf("%s printed the password", m.Name)
				}
			}
		})
	}
}

func TestAReflectorReportsTheCauseOfRefusals(t *testing.T) {
	t.Parallel()
	s := newSite(t, 4)
	healthy, misnumbered, greedy, foreign := s.speakers[0], s.speakers[1], s.speakers[2], s.speakers[3]
	speaks := func(m *member, as int, prefixes ...string) {
		var services []string
		for i, prefix := range prefixes {
			if i > 0 {
				if err := m.Space.AddLocal(netip.MustParsePrefix(prefix)); err != nil {
					t.Fatal(err)
				}
			}
			address, _, _ := strings.Cut(prefix, "/")
			services = append(services, fmt.Sprintf(`{"loadBalancerId": "lb_1", "prefix": %q, "plain": true,
				"probes": [{"address": %q, "port": 80, "protocol": "tcp"}]}`, prefix, address))
		}
		m.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "speaker": {"bgp": {"as": %d, "peers": [{"address": %q, %s}]}, "services": [%s]}}`,
			as, s.reflecting.IPv4, session, strings.Join(services, ",")))
	}
	speaks(misnumbered, 65099, offered.String())
	many := []string{offered.String()}
	for i := range 6 {
		many = append(many, fmt.Sprintf("203.0.113.%d/32", 100+i))
	}
	speaks(greedy, 65021, many...)
	speaks(foreign, 65021, offered.String(), "198.51.100.7/32")
	for _, address := range many[1:] {
		listenAt(t, greedy, address)
	}
	listenAt(t, foreign, "198.51.100.7/32")
	s.start(t)

	s.reflecting.logs(t, "BgpSessionDown", misnumbered.IPv4.String(), "the peer has a different AS")
	s.reflecting.logs(t, "BgpSessionDown", greedy.IPv4.String(), "the peer exceeded its route limit")
	s.reflecting.logs(t, "BgpRouteRefused", foreign.IPv4.String(), "198.51.100.7/32", "outside the accepted prefixes")
	misnumbered.logs(t, "BgpSessionDown", s.reflecting.IPv4.String())
	greedy.logs(t, "BgpSessionDown", s.reflecting.IPv4.String())
	s.goesBy(t, "the others are rejected", healthy.IPv4, foreign.IPv4)
	healthy.never(t, "BgpSessionDown")
	foreign.never(t, "BgpSessionDown")
}

func TestASharedNextHopIsReported(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3)
	for _, one := range s.speakers[:2] { // both use the second one's next hop
		one.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "speaker": {"bgp": {"as": 65021, "peers": [{"address": %q, %s}]},
			"services": [{"loadBalancerId": "lb_1", "prefix": %q, "nextHop": %q, "plain": true,
				"probes": [{"address": %q, "port": 80, "protocol": "tcp"}]}]}}`,
			s.reflecting.IPv4, session, offered, s.speakers[1].IPv4, offered.Addr()))
	}
	s.start(t)
	s.goesBy(t, "two advertise one next hop", s.speakers[1].IPv4, s.speakers[2].IPv4)
	s.reflecting.logs(t, "BgpNextHopShared", s.speakers[0].IPv4.String(), "the next hop "+s.speakers[1].IPv4.String()+",", "give each its own address")
	for _, one := range s.speakers {
		one.never(t, "BgpSessionDown")
	}
	s.routing.never(t, "BgpNextHopShared") // it receives reflected routes
}

// Two hosts with one address take each other's packets, which no program can prevent. Other hosts
// are unaffected; the control plane sees both, and reports them (AddressShared).
func TestADuplicateAddressAffectsOnlyItsHosts(t *testing.T) {
	t.Parallel()
	s := newSite(t, 3)
	one, twin, healthy := s.speakers[0], s.speakers[1], s.speakers[2]
	twin.ip(t, fmt.Sprintf("address del %s/24 dev eth0", twin.IPv4))
	twin.ip(t, fmt.Sprintf("address add %s/24 dev eth0", one.IPv4))
	s.start(t)
	s.goesBy(t, "one of the twins is up", one.IPv4, healthy.IPv4)
	waitFor(t, "report of the other twin that it has no session", func() bool {
		return strings.Contains(one.printed.String()+twin.printed.String(), "event=BgpSessionDown ") ||
			strings.Contains(one.printed.String()+twin.printed.String(), "event=BgpSessionNotUp ")
	})
	if hops := s.hops(t); !slices.Contains(hops, healthy.IPv4) {
		t.Errorf("it goes by %v", hops)
	}
	healthy.never(t, "BgpSessionDown")
	s.routing.never(t, "BgpSessionDown")
}

func listenAt(t *testing.T, m *member, prefix string) {
	t.Helper()
	own := m.Space.AddLocal
	if netip.MustParsePrefix(prefix).Addr().Is6() { // only possible on an address of an interface
		own = func(prefix netip.Prefix) error { return m.Space.AddAddress("lo", prefix) }
	}
	if err := own(netip.MustParsePrefix(prefix)); err != nil {
		t.Fatal(err)
	}
	address, _, _ := strings.Cut(prefix, "/")
	listener, err := m.Space.Listen(t.Context(), "tcp", net.JoinHostPort(address, "80"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
}
