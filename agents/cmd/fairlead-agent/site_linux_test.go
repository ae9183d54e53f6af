package main

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/fib"
	"fairlead.dev/agents/internal/netspace/netspacetest"
	"fairlead.dev/agents/internal/router"
)

var offered6 = netip.MustParsePrefix("2001:db8:113::7/128")

// site is a router, one or two reflectors, and speakers with working services.
type site struct {
	lan                 *bgptest.LAN
	reflecting, routing *member
	spare               *member // the second reflector; nil for none
	six                 bool    // sessions and the service use IPv6
	keepMs              int     // of the router; 0: the default
	guard               string  // settings of all sessions, as JSON
	speakers            []*member
}

func newSite(t *testing.T, speakers int) *site {
	t.Helper()
	s := &site{lan: bgptest.NewLAN(t)}
	s.reflecting, s.routing = newMember(t, s.lan, "reflector"), newMember(t, s.lan, "router")
	for i := range speakers {
		speaker := newSpeaker(t, s.lan, fmt.Sprintf("speaker-%d", i+1), s.reflecting)
		speaker.listen(t)
		s.speakers = append(s.speakers, speaker)
	}
	return s
}

// newSpareSite has two reflectors.
func newSpareSite(t *testing.T, speakers int) *site {
	t.Helper()
	s := newSite(t, speakers)
	s.spare = newMember(t, s.lan, "reflector-2")
	for _, speaker := range s.speakers {
		s.configureSpeaker(t, speaker)
	}
	return s
}

// newSiteOf returns a site of one family.
func newSiteOf(t *testing.T, speakers int, six bool) *site {
	t.Helper()
	s := newSite(t, speakers)
	s.six = six
	for _, speaker := range s.speakers {
		if six {
			listenAt(t, speaker, offered6.String())
		}
		s.configureSpeaker(t, speaker)
	}
	return s
}

func (s *site) service() netip.Prefix {
	if s.six {
		return offered6
	}
	return offered
}

// at is the address of a member.
func (s *site) at(m *member) netip.Addr {
	if s.six {
		return m.IPv6
	}
	return m.IPv4
}

func (s *site) reflectors() []*member {
	if s.spare == nil {
		return []*member{s.reflecting}
	}
	return []*member{s.reflecting, s.spare}
}

// calls are the peer settings of members that connect to reflectors.
func (s *site) calls() string {
	var peers []string
	for _, one := range s.reflectors() {
		peers = append(peers, fmt.Sprintf(`{"address": %q, %s}`, s.at(one), session))
	}
	return strings.Join(peers, ",")
}

func (s *site) configureSpeaker(t *testing.T, m *member) {
	t.Helper()
	m.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "speaker": {"drainMs": 1500, "bgp": {"as": 65021, "peers": [%s]},
		"services": [{"loadBalancerId": "lb_1", "prefix": %q, "plain": true, "probes": [{"address": %q, "port": 80, "protocol": "tcp"}]}]}}`,
		s.calls(), s.service(), s.service().Addr()))
}

func (s *site) reflect(t *testing.T, m *member) {
	t.Helper()
	callers := bgptest.Prefix4
	if s.six {
		callers = bgptest.Prefix6
	}
	m.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "reflector": {"accepts": ["203.0.113.0/24", "2001:db8:113::/64"],
		"bgp": {"as": 65021, "peers": [{"callers": %q, "client": true, "mostRoutes": 5, %s%s}, {"address": %q, "waits": true, %s}]}}}`,
		callers, session, s.guard, s.at(s.routing), session))
}

func (s *site) route(t *testing.T) {
	t.Helper()
	s.routing.configure(t, fmt.Sprintf(`{"reportIntervalMs": 1000, "router": {"accepts": ["203.0.113.0/24", "2001:db8:113::/64"],
		"settleMs": 1000, "keepMs": %d, "bgp": {"as": 65021, "peers": [%s]}}}`, s.keepMs, s.calls()))
}

func (s *site) start(t *testing.T) {
	t.Helper()
	for _, one := range s.reflectors() {
		s.reflect(t, one)
		one.start(t, "reflector")
	}
	s.route(t)
	s.routing.start(t, "router")
	for _, speaker := range s.speakers {
		speaker.start(t, "speaker", "--balancer=off")
	}
}

// hops are the next hops in the router's kernel.
func (s *site) hops(t *testing.T) []netip.Addr {
	t.Helper()
	hops, err := fib.Read(s.routing.Space.Do, router.Owner)
	if err != nil {
		t.Fatal(err)
	}
	return hops[s.service()]
}

func (s *site) goesBy(t *testing.T, step string, want ...netip.Addr) {
	t.Helper()
	waitFor(t, fmt.Sprintf("%s by %v, when %s", s.service(), want, step), func() bool { return slices.Equal(s.hops(t), want) })
}

// settle starts all members, and kills the last speaker: once the router has removed its route, it
// trusts withdrawals.
func (s *site) settle(t *testing.T) {
	t.Helper()
	s.start(t)
	s.goesBy(t, "all answer", s.hosts()...)
	last := s.speakers[len(s.speakers)-1]
	last.end(t, syscall.SIGKILL)
	s.speakers = s.speakers[:len(s.speakers)-1]
	s.goesBy(t, "the last was killed", s.hosts()...)
}

// offeredByAll waits until each reflector advertises the route of each speaker: until then, a
// speaker's end removes a route that no other reflector has.
func (s *site) offeredByAll(t *testing.T) {
	t.Helper()
	want := len(s.reflectors()) * len(s.speakers)
	waitFor(t, fmt.Sprintf("%d offers of %s", want, s.service()), func() bool {
		return strings.Count(s.routing.page("routes?prefix="+url.QueryEscape(s.service().String())), `"prefix"`) == want
	})
}

// hosts are the sorted addresses of speakers.
func (s *site) hosts() (hosts []netip.Addr) {
	for _, speaker := range s.speakers {
		hosts = append(hosts, s.at(speaker))
	}
	slices.SortFunc(hosts, netip.Addr.Compare)
	return hosts
}

// watch records removals from the router's kernel.
func (s *site) watch(t *testing.T) (stayed func()) {
	t.Helper()
	seen := netspacetest.WatchRoutes(t, s.routing.Space)
	return func() {
		t.Helper()
		if reported := seen(); strings.Contains(reported, "Deleted "+s.service().String()) {
			t.Errorf("the route was removed meanwhile:\n%s", reported)
		}
	}
}
