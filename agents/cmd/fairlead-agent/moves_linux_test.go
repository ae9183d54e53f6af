package main

import (
	"net/netip"
	"syscall"
	"testing"
	"time"
)

// move changes a member's address as in a renumbering: for a moment it has none.
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

// ofBothMoves runs a test for each family, on a site whose router trusts withdrawals.
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

func TestASpeakerConnectsFromItsNewAddress(t *testing.T) {
	ofBothMoves(t, func(t *testing.T, s *site) {
		moves, stays := s.speakers[0], s.speakers[1]
		stayed, began := s.watch(t), time.Now()
		before := s.move(t, moves)
		s.goesBy(t, "it has moved", s.hosts()...)
		if took := time.Since(began); took > 10*time.Second { // 30 s without the notification; the hold time of the old session is 3 s
			t.Errorf("took %s", took)
		}
		stayed()
		moves.logs(t, "AddressChanged", "from "+before.String()+" to "+s.at(moves).String())
		s.reflecting.logs(t, "BgpSessionUp", s.at(moves).String())
		s.reflecting.logs(t, "BgpSessionDown", before.String())
		stays.never(t, "BgpSessionDown")
	})
}

func TestPeersConnectToAReflectorsNewAddress(t *testing.T) {
	ofBothMoves(t, func(t *testing.T, s *site) {
		stayed := s.watch(t)
		before := s.move(t, s.reflecting)
		s.reflecting.logs(t, "AddressChanged", "from "+before.String()+" to "+s.at(s.reflecting).String())
		s.routing.logs(t, "BgpSessionDown", before.String())
		s.routing.logs(t, "RoutesKept")
		s.goesBy(t, "the reflector's new address is not configured yet", s.hosts()...)

		for _, speaker := range s.speakers { // as the operator configures it
			s.configureSpeaker(t, speaker)
		}
		s.route(t)
		s.routing.logs(t, "BgpSessionUp", s.at(s.reflecting).String())
		for _, speaker := range s.speakers {
			s.reflecting.logsTimes(t, "BgpSessionUp", 2, s.at(speaker).String())
		}
		s.follows(t)
		stayed()
	})
}

func TestARouterWhoseAddressChangesKeepsItsRoutes(t *testing.T) {
	ofBothMoves(t, func(t *testing.T, s *site) {
		stayed := s.watch(t)
		before := s.move(t, s.routing)
		s.routing.logs(t, "AddressChanged", "from "+before.String()+" to "+s.at(s.routing).String())
		s.reflecting.logs(t, "BgpSessionDown", before.String())
		s.reflect(t, s.reflecting) // as the operator configures it
		s.reflecting.logs(t, "BgpSessionUp", s.at(s.routing).String())
		s.routing.logsTimes(t, "BgpSessionUp", 2, s.at(s.reflecting).String())
		s.goesBy(t, "it has moved", s.hosts()...)
		for _, speaker := range s.speakers {
			speaker.never(t, "BgpSessionDown")
		}
		s.follows(t)
		stayed()
	})
}

// follows kills a speaker, and expects the router's kernel to follow.
func (s *site) follows(t *testing.T) {
	t.Helper()
	s.speakers[1].end(t, syscall.SIGKILL)
	s.speakers = s.speakers[:1]
	s.goesBy(t, "a speaker was killed", s.hosts()...)
}
