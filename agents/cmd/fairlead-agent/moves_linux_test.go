package main

import (
	"net/netip"
	"syscall"
	"testing"
	"time"
)

// move gives a member another address, as a host gets it that is renumbered: for a moment it has none.
func (s *site) move(t *testing.T, m *member) (before netip.Addr) {
	t.Helper()
	before = s.at(m)
	if s.six {
		m.IPv6 = netip.MustParseAddr("fd79::33")
		m.ip(t, "address del "+before.String()+"/64 dev eth0")
		m.ip(t, "address add "+m.IPv6.String()+"/64 dev eth0")
		return before
	}
	m.IPv4 = netip.MustParseAddr("10.79.0.33")
	m.ip(t, "address del "+before.String()+"/24 dev eth0")
	m.ip(t, "address add "+m.IPv4.String()+"/24 dev eth0")
	return before
}

// ofBothMoves is for each family a site whose router believes what it is told.
func ofBothMoves(t *testing.T, test func(*testing.T, *site)) {
	t.Helper()
	t.Parallel()
	for _, six := range []bool{false, true} {
		t.Run(familyName(six), func(t *testing.T) {
			t.Parallel()
			s := newSiteOf(t, 3, six)
			s.settle(t)
			test(t, s)
		})
	}
}

func TestASpeakerWhoseAddressChangesCallsFromTheNewOne(t *testing.T) {
	ofBothMoves(t, func(t *testing.T, s *site) {
		moves, stays := s.speakers[0], s.speakers[1]
		stayed, began := s.watch(t), time.Now()
		before := s.move(t, moves)
		s.goesBy(t, "it has moved", s.hosts()...)
		if took := time.Since(began); took > 10*time.Second { // 30 s if nobody had told it; the hold time of the old session is 3 s
			t.Errorf("it took %s", took)
		}
		stayed()
		moves.said(t, "AddressChanged", s.at(moves).String()+" now", "had "+before.String())
		s.reflecting.said(t, "BgpSessionUp", s.at(moves).String())
		s.reflecting.said(t, "BgpSessionDown", before.String())
		stays.never(t, "BgpSessionDown")
	})
}

func TestAReflectorWhoseAddressChangesIsCalledAtTheNewOne(t *testing.T) {
	ofBothMoves(t, func(t *testing.T, s *site) {
		stayed := s.watch(t)
		before := s.move(t, s.reflecting)
		s.reflecting.said(t, "AddressChanged", s.at(s.reflecting).String()+" now", "had "+before.String())
		s.routing.said(t, "BgpSessionDown", before.String())
		s.routing.said(t, "RoutesKept")
		s.goesBy(t, "nobody knows yet where the reflector is", s.hosts()...)

		for _, speaker := range s.speakers { // as the operator says
			s.speak(t, speaker)
		}
		s.route(t)
		s.routing.said(t, "BgpSessionUp", s.at(s.reflecting).String())
		for _, speaker := range s.speakers {
			s.reflecting.saidTimes(t, "BgpSessionUp", 2, s.at(speaker).String())
		}
		s.follows(t)
		stayed()
	})
}

func TestARouterWhoseAddressChangesKeepsItsRoutes(t *testing.T) {
	ofBothMoves(t, func(t *testing.T, s *site) {
		stayed := s.watch(t)
		before := s.move(t, s.routing)
		s.routing.said(t, "AddressChanged", s.at(s.routing).String()+" now", "had "+before.String())
		s.reflecting.said(t, "BgpSessionDown", before.String())
		s.reflect(t, s.reflecting) // as the operator says
		s.reflecting.said(t, "BgpSessionUp", s.at(s.routing).String())
		s.routing.saidTimes(t, "BgpSessionUp", 2, s.at(s.reflecting).String())
		s.goesBy(t, "it has moved", s.hosts()...)
		for _, speaker := range s.speakers {
			speaker.never(t, "BgpSessionDown")
		}
		s.follows(t)
		stayed()
	})
}

// follows ends a speaker, and wants the router's kernel to follow.
func (s *site) follows(t *testing.T) {
	t.Helper()
	s.speakers[1].end(t, syscall.SIGKILL)
	s.speakers = s.speakers[:1]
	s.goesBy(t, "a speaker was killed", s.hosts()...)
}
