package gobgp_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
)

func TestRoutesOutsideTheAcceptedPrefixesAreRefused(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	speaker, reflector := bgptest.Start(t, lan.Add(t, "speaker")), bgptest.Start(t, lan.Add(t, "reflector"))
	theirs := bgptest.Reflector(reflector.Host)
	theirs.Peers[0].MostRoutes = 5
	set(t, reflector, theirs)
	ours := bgptest.Speaker(speaker.Host, reflector.Host)
	foreign := netip.MustParsePrefix("198.51.100.0/24")
	ours.Offers = append(ours.Offers, bgp.Offer{Prefix: foreign, NextHop: speaker.Host.IPv4})
	set(t, speaker, ours)

	waitFor(t, func() bool { return sessionWith(t, reflector, speaker.Host.IPv4).Received == 3 },
		func() string { return fmt.Sprintf("%+v", sessionWith(t, reflector, speaker.Host.IPv4)) })
	session := sessionWith(t, reflector, speaker.Host.IPv4)
	if session.Accepted != 2 || !session.Dynamic || session.RouterID != speaker.Host.IPv4 || session.Hold != 3*time.Second || session.EstablishedCount != 1 {
		t.Errorf("the session is %+v", session)
	}
	// GoBGP counts a route before it is in its table.
	var page bgp.Page
	var err error
	waitFor(t, func() bool {
		page, err = reflector.Routes(bgp.Query{FromPeer: speaker.Host.IPv4})
		return err == nil && len(page.Routes) == 3
	}, func() string { return fmt.Sprintf("got routes %+v, %v", page, err) })
	took, err := reflector.Take()
	if err != nil || !slices.Equal(took.Refused, []bgp.Refusal{{Peer: speaker.Host.IPv4, Prefix: foreign}}) {
		t.Errorf("refused are %+v, %v", took.Refused, err)
	}
	for _, route := range page.Routes {
		if route.Refused != (route.Prefix == foreign) {
			t.Errorf("got route %+v", route)
		}
	}
	if hops, err := reflector.Hops(foreign); err != nil || len(hops) > 0 {
		t.Errorf("%s: next hops %v, %v", foreign, hops, err)
	}

	t.Run("a newly accepted prefix is accepted", func(t *testing.T) {
		theirs.Accepts = append(slices.Clone(bgptest.Services), foreign)
		set(t, reflector, theirs)
		waitFor(t, func() bool { hops, _ := reflector.Hops(foreign); return len(hops) == 1 }, func() string { return "it is still refused" })
		if again := sessionWith(t, reflector, speaker.Host.IPv4); again.EstablishedCount != 1 || again.Accepted != 3 {
			t.Errorf("the session is %+v", again)
		}
	})
	t.Run("a peer over its route limit is closed and its routes removed", func(t *testing.T) {
		ours.Offers = append(ours.Offers, surplus(speaker.Host, 6)...)
		set(t, speaker, ours)
		waitFor(t, func() bool { hops, _ := reflector.Hops(bgptest.Services[0]); return len(hops) == 0 },
			func() string { return fmt.Sprintf("%+v", sessionWith(t, reflector, speaker.Host.IPv4)) })
		if reported := waitForDown(t, reflector, speaker.Host.IPv4); !strings.Contains(reported.Reason, "exceeded its route limit, and is blocked for 15s") {
			t.Errorf("got %+v", reported)
		}
	})
}

func surplus(host *bgptest.Host, count int) (offers []bgp.Offer) {
	for i := range count {
		prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 32)
		offers = append(offers, bgp.Offer{Prefix: prefix, NextHop: host.IPv4})
	}
	return offers
}

// A peer that reconnects as soon as it is closed would otherwise be reported in an endless loop,
// with its first routes each time.
func TestACallerOverItsRouteLimitIsBlockedForLongerEachTime(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	speaker, reflector := bgptest.Start(t, lan.Add(t, "speaker")), bgptest.Start(t, lan.Add(t, "reflector"))
	theirs := bgptest.Reflector(reflector.Host)
	theirs.Peers[0].MostRoutes = 5
	set(t, reflector, theirs)
	ours := bgptest.Speaker(speaker.Host, reflector.Host)
	ours.Offers = append(ours.Offers, surplus(speaker.Host, 6)...)
	set(t, speaker, ours)

	var reported []bgp.Transition
	downs := func() (downs []bgp.Transition) {
		for _, one := range reported {
			if one.State != bgp.Established {
				downs = append(downs, one)
			}
		}
		return downs
	}
	for began := time.Now(); time.Since(began) < 40*time.Second && len(downs()) < 2; {
		took, err := reflector.Take() // waits for a change
		if err != nil {
			t.Fatal(err)
		}
		reported = append(reported, took.Sessions...)
		session := sessionWith(t, reflector, speaker.Host.IPv4)
		if isOut := len(downs()) == 1 && time.Since(downs()[0].At) < 15*time.Second; isOut && session.State != bgp.Established && session.Peer.IsValid() &&
			(!session.OverLimit || !session.Dynamic || !strings.Contains(session.LastError, "blocked for")) {
			t.Errorf("while blocked, the session is %+v", session)
		}
	}
	twice := downs()
	if len(twice) != 2 || len(reported) > 4 {
		t.Fatalf("got %+v", reported)
	}
	if apart := twice[1].At.Sub(twice[0].At); apart < 15*time.Second || !strings.Contains(twice[1].Reason, "blocked for 30s") {
		t.Errorf("%s after the first block: %+v", apart, twice[1])
	}
	if hops, err := reflector.Hops(bgptest.Services[0]); err != nil || len(hops) > 0 {
		t.Errorf("its routes are left: %v, %v", hops, err)
	}

	t.Run("until the limit is raised", func(t *testing.T) {
		theirs.Peers[0].MostRoutes = 50
		set(t, reflector, theirs)
		waitFor(t, func() bool { return sessionWith(t, reflector, speaker.Host.IPv4).Accepted == 8 },
			func() string { return fmt.Sprintf("%+v", sessionWith(t, reflector, speaker.Host.IPv4)) })
	})
}
