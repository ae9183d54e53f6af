package gobgp_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/bgp/gobgp"
)

func TestMain(m *testing.M) {
	bgptest.Main(m, func() bgp.Engine { return gobgp.Open(slog.New(slog.NewTextHandler(io.Discard, nil))) })
}

// network is some speakers, some reflectors and a router, each an engine.
type network struct {
	lan        *bgptest.LAN
	speakers   []*bgptest.Process
	reflectors []*bgptest.Process
	router     *bgptest.Process
}

func newNetwork(t *testing.T, speakers, reflectors int) *network {
	t.Helper()
	n := &network{lan: bgptest.NewLAN(t)}
	for i := range speakers {
		n.speakers = append(n.speakers, bgptest.Start(t, n.lan.Add(t, fmt.Sprintf("speaker%d", i+1))))
	}
	for i := range reflectors {
		n.reflectors = append(n.reflectors, bgptest.Start(t, n.lan.Add(t, fmt.Sprintf("reflector%d", i+1))))
	}
	n.router = bgptest.Start(t, n.lan.Add(t, "router"))
	return n
}

// up sets everybody as is usual, and waits until the router knows all speakers.
func (n *network) up(t *testing.T) {
	t.Helper()
	set(t, n.router, bgptest.Router(n.router.Host, hosts(n.reflectors)...))
	for _, reflector := range n.reflectors {
		set(t, reflector, bgptest.Reflector(reflector.Host, n.router.Host))
	}
	for _, speaker := range n.speakers {
		set(t, speaker, bgptest.Speaker(speaker.Host, hosts(n.reflectors)...))
	}
	n.goesBy(t, n.speakers...)
	for _, reflector := range n.reflectors {
		for _, process := range append(slices.Clone(n.speakers), n.router) {
			waitFor(t, func() bool { return sessionWith(t, process, reflector.Host.IPv4).State == bgp.Established },
				func() string { return fmt.Sprintf("%s and %s don't talk", reflector.Host.Name, process.Host.Name) })
		}
	}
}

// goesBy waits until the router sends the services by exactly these.
func (n *network) goesBy(t *testing.T, speakers ...*bgptest.Process) {
	t.Helper()
	for _, prefix := range bgptest.Services {
		want := []netip.Addr{}
		for _, speaker := range speakers {
			hop := speaker.Host.IPv4
			if prefix.Addr().Is6() {
				hop = speaker.Host.IPv6
			}
			want = append(want, hop)
		}
		var hops []netip.Addr
		waitFor(t, func() bool {
			var err error
			hops, err = n.router.Hops(prefix)
			if err != nil {
				t.Fatal(err)
			}
			return slices.Equal(hops, want)
		}, func() string { return fmt.Sprintf("%s goes by %v, not by %v", prefix, hops, want) })
	}
}

func hosts(processes []*bgptest.Process) (hosts []*bgptest.Host) {
	for _, process := range processes {
		hosts = append(hosts, process.Host)
	}
	return hosts
}

func set(t *testing.T, process *bgptest.Process, desired bgp.Desired) int {
	t.Helper()
	changes, err := process.Set(desired)
	if err != nil {
		t.Fatalf("set %s: %v", process.Host.Name, err)
	}
	return changes
}

// waitFor fails after 20 s; a session takes two to come up.
func waitFor(t *testing.T, holds func() bool, otherwise func() string) {
	t.Helper()
	for began := time.Now(); !holds(); time.Sleep(2 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal(otherwise())
		}
	}
}

func sessionWith(t *testing.T, process *bgptest.Process, peer netip.Addr) bgp.Session {
	t.Helper()
	sessions, err := process.Sessions()
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		if session.Peer == peer {
			return session
		}
	}
	return bgp.Session{}
}

// takeAll takes what there is to take.
func takeAll(t *testing.T, process *bgptest.Process) {
	t.Helper()
	if _, err := process.Take(); err != nil {
		t.Fatal(err)
	}
}

// wentDown waits until it is told that the session with a peer ended, or could not begin.
func wentDown(t *testing.T, process *bgptest.Process, peer netip.Addr) (down bgp.Transition) {
	t.Helper()
	var told []bgp.Transition
	waitFor(t, func() bool {
		took, err := process.Take()
		if err != nil {
			t.Fatal(err)
		}
		told = append(told, took.Sessions...)
		at := slices.IndexFunc(told, func(s bgp.Transition) bool { return s.Peer == peer && s.State != bgp.Established })
		if at >= 0 {
			down = told[at]
		}
		return at >= 0
	}, func() string { return fmt.Sprintf("told was only %+v", told) })
	return down
}

func TestOffersReachTheRouterAndLeaveIt(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 2)
	n.up(t)
	first := n.speakers[0]
	usual := bgptest.Speaker(first.Host, hosts(n.reflectors)...)

	t.Run("nothing happens when the same is set again", func(t *testing.T) {
		if changes := set(t, first, usual); changes != 0 {
			t.Errorf("%d changes", changes)
		}
	})
	t.Run("a speaker is told of no route", func(t *testing.T) {
		for _, peer := range n.reflectors {
			if session := sessionWith(t, first, peer.Host.IPv4); session.Received != 0 || session.Given != 2 || session.State != bgp.Established {
				t.Errorf("with %s: %+v", peer.Host.Name, session)
			}
		}
	})
	t.Run("what is withdrawn leaves", func(t *testing.T) {
		none := usual
		none.Offers = nil
		set(t, first, none)
		n.goesBy(t, n.speakers[1:]...)
		set(t, first, usual)
		n.goesBy(t, n.speakers...)
	})
	t.Run("attributes arrive as they were offered", func(t *testing.T) {
		offered := usual
		offered.Offers = bgptest.Offers(first.Host, bgp.Offer{Preference: 200, MED: 7, Communities: []bgp.Community{65021<<16 | 100}})
		set(t, first, offered)
		n.goesBy(t, first)
		page, err := n.router.Routes(bgp.Query{Prefix: bgptest.Services[0]})
		if err != nil || len(page.Routes) == 0 {
			t.Fatalf("%+v, %v", page, err)
		}
		if best := page.Routes[0]; !best.Best || best.NextHop != first.Host.IPv4 || best.Preference != 200 || best.MED != 7 ||
			!slices.Equal(best.Communities, []bgp.Community{65021<<16 | 100}) || len(best.ASPath) != 0 {
			t.Errorf("the best is %+v", best)
		}
	})
	t.Run("one that drains is the last resort", func(t *testing.T) {
		drained := usual
		drained.Offers = bgptest.Offers(first.Host, bgp.Offer{Preference: bgp.Drained, Communities: []bgp.Community{bgp.GracefulShutdown}})
		set(t, first, drained)
		n.goesBy(t, n.speakers[1:]...)
		for _, other := range n.speakers[1:] {
			set(t, other, bgp.Desired{AS: bgptest.AS, RouterID: other.Host.IPv4})
		}
		n.goesBy(t, first)
		for _, other := range n.speakers[1:] {
			set(t, other, bgptest.Speaker(other.Host, hosts(n.reflectors)...))
		}
		n.goesBy(t, n.speakers[1:]...)
	})
	t.Run("one that is killed leaves", func(t *testing.T) {
		n.speakers[2].Kill()
		n.goesBy(t, n.speakers[1])
	})
	t.Run("one that ends in good order leaves", func(t *testing.T) {
		if err := n.speakers[1].Close(); err != nil {
			t.Fatal(err)
		}
		n.goesBy(t, first)
	})
}

// A top-of-rack router of another AS is told each speaker's own address: not the
// reflector's, and not that of the best one alone.
// A reflector says of each route when it comes and goes, also when it has other ones.
func TestAReflectorSaysWhatComesAndGoes(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 1)
	n.up(t)
	reflector, second := n.reflectors[0], n.speakers[1]
	took := func() (updates []bgp.Update) {
		t.Helper()
		changes, err := reflector.Take()
		if err != nil {
			t.Fatal(err)
		}
		return changes.Updates
	}
	took() // what it was told when all began
	offers := bgptest.Offers(second.Host, bgp.Offer{})
	drained := bgptest.Offers(second.Host, bgp.Offer{Preference: bgp.Drained, Communities: []bgp.Community{bgp.GracefulShutdown}})
	for _, step := range []struct {
		name      string
		offers    []bgp.Offer
		withdrawn bool
	}{{"it goes", nil, true}, {"it comes", offers, false}, {"it becomes the last resort", drained, true}, {"it is as before", offers, false}} {
		desired, begun := bgptest.Speaker(second.Host, reflector.Host), time.Now()
		desired.Offers = step.offers
		set(t, second, desired)
		told := map[netip.Prefix]bgp.Update{}
		waitFor(t, func() bool {
			for _, update := range took() {
				told[update.Prefix] = update
			}
			return len(told) == len(bgptest.Services)
		}, func() string { return fmt.Sprintf("%s: told is %v", step.name, told) })
		for _, offer := range offers {
			update := told[offer.Prefix]
			if update.NextHop != offer.NextHop || update.Withdrawn != step.withdrawn || update.At.Before(begun) || time.Since(update.At) < 0 {
				t.Errorf("%s, begun at %s: told is %+v", step.name, begun, update)
			}
		}
	}
}

func TestARouterOfAnotherASKnowsEveryHop(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 3, 2)
	router := bgptest.Router(n.router.Host, hosts(n.reflectors)...)
	router.AS = 65100
	set(t, n.router, router)
	for _, reflector := range n.reflectors {
		desired := bgptest.Reflector(reflector.Host, n.router.Host)
		desired.Peers[1].AS, desired.Peers[1].Reflected = 65100, false
		set(t, reflector, desired)
	}
	for _, speaker := range n.speakers {
		set(t, speaker, bgptest.Speaker(speaker.Host, hosts(n.reflectors)...))
	}
	n.goesBy(t, n.speakers...)
	page, err := n.router.Routes(bgp.Query{Prefix: bgptest.Services[0]})
	if err != nil || len(page.Routes) == 0 || !slices.Equal(page.Routes[0].ASPath, []uint32{bgptest.AS}) {
		t.Errorf("the routes are %+v, %v", page.Routes, err)
	}
}

func TestALostReflectorChangesNothing(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 2)
	n.up(t)
	n.reflectors[0].Kill()
	waitFor(t, func() bool {
		return sessionWith(t, n.router, n.reflectors[0].Host.IPv4).State != bgp.Established
	}, func() string { return "the router thinks that the reflector lives" })
	n.goesBy(t, n.speakers...)
	if told := wentDown(t, n.router, n.reflectors[0].Host.IPv4); !strings.Contains(told.Reason, "broke") {
		t.Errorf("told was %+v", told)
	}
}

func TestAFrozenSpeakerLeaves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		detection bgp.Detection
		within    time.Duration
		says      string
	}{
		{"after the hold time", bgp.Detection{}, 4 * time.Second, "silent for the hold time"},
		{"at once, by BFD", bgp.Detection{Interval: 100 * time.Millisecond, Multiplier: 3}, time.Second, "BFD heard nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, 2, 1)
			n.up(t)
			reflector := bgptest.Reflector(n.reflectors[0].Host, n.router.Host)
			reflector.Peers[0].Detection = c.detection
			set(t, n.reflectors[0], reflector)
			for _, speaker := range n.speakers {
				desired := bgptest.Speaker(speaker.Host, n.reflectors[0].Host)
				desired.Peers[0].Detection = c.detection
				set(t, speaker, desired)
			}
			n.goesBy(t, n.speakers...)
			if c.detection != (bgp.Detection{}) {
				for _, speaker := range n.speakers {
					waitFor(t, func() bool { return sessionWith(t, n.reflectors[0], speaker.Host.IPv4).Detection == "up" },
						func() string { return fmt.Sprintf("%+v", sessionWith(t, n.reflectors[0], speaker.Host.IPv4)) })
				}
			}
			for _, reflector := range n.reflectors {
				takeAll(t, reflector) // callers were sent away when the detection was changed
			}
			began := time.Now()
			if err := n.speakers[0].Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			n.goesBy(t, n.speakers[1])
			if took := time.Since(began); took > c.within {
				t.Errorf("it took %v, want at most %v", took, c.within)
			}
			if told := wentDown(t, n.reflectors[0], n.speakers[0].Host.IPv4); !strings.Contains(told.Reason, c.says) {
				t.Errorf("told was %+v", told)
			}
		})
	}
}

func TestWhatMayNotBeComesNotUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		reflector, other func(*bgp.Peer) // what the two say of each other
		comesUp          bool
		says             string // what the reflector says of one that doesn't, or
		bySpeaker        bool   // the speaker
	}{
		{"the same password", func(p *bgp.Peer) { p.Password = "right" }, func(p *bgp.Peer) { p.Password = "right" }, true, "", false},
		{"a wrong password", func(p *bgp.Peer) { p.Password = "right" }, func(p *bgp.Peer) { p.Password = "wrong" }, false, "", false},
		{"no password", func(p *bgp.Peer) { p.Password = "right" }, func(*bgp.Peer) {}, false, "", false},
		{"both near", func(p *bgp.Peer) { p.NearOnly = true }, func(p *bgp.Peer) { p.NearOnly = true }, true, "", false},
		{"a TTL that is too low", func(p *bgp.Peer) { p.NearOnly = true }, func(*bgp.Peer) {}, false, "hold time", true},
		{"another AS", func(*bgp.Peer) {}, func(p *bgp.Peer) { p.AS = 65099 }, false, "AS the right one", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lan := bgptest.NewLAN(t)
			speaker, reflector := bgptest.Start(t, lan.Add(t, "speaker")), bgptest.Start(t, lan.Add(t, "reflector"))
			theirs := bgptest.Reflector(reflector.Host)
			c.reflector(&theirs.Peers[0])
			set(t, reflector, theirs)
			ours := bgptest.Speaker(speaker.Host, reflector.Host)
			c.other(&ours.Peers[0])
			set(t, speaker, ours)
			const usually = 5 * time.Second
			arrived := func() bool {
				hops, err := reflector.Hops(bgptest.Services[0])
				if err != nil {
					t.Fatal(err)
				}
				return len(hops) > 0
			}
			for began := time.Now(); time.Since(began) < usually && !arrived(); time.Sleep(20 * time.Millisecond) {
			}
			if arrived() != c.comesUp {
				t.Errorf("it is %+v", sessionWith(t, reflector, speaker.Host.IPv4))
			}
			if c.says == "" {
				return
			}
			who, of := reflector, speaker
			if c.bySpeaker { // to whom the reflector is the silent one
				who, of = speaker, reflector
			}
			if told := wentDown(t, who, of.Host.IPv4); !strings.Contains(told.Reason, c.says) {
				t.Errorf("told was %+v", told)
			}
		})
	}
}

func TestRoutesThatMayNotBeAreRefused(t *testing.T) {
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
	if session.Accepted != 2 || !session.Called || session.RouterID != speaker.Host.IPv4 || session.Hold != 3*time.Second || session.Ups != 1 {
		t.Errorf("the session is %+v", session)
	}
	took, err := reflector.Take()
	if err != nil || !slices.Equal(took.Refused, []bgp.Refusal{{Peer: speaker.Host.IPv4, Prefix: foreign}}) {
		t.Errorf("told was that %+v are refused, %v", took.Refused, err)
	}
	page, err := reflector.Routes(bgp.Query{FromPeer: speaker.Host.IPv4})
	if err != nil || len(page.Routes) != 3 {
		t.Fatalf("offered were %+v, %v", page, err)
	}
	for _, route := range page.Routes {
		if route.Refused != (route.Prefix == foreign) {
			t.Errorf("offered was %+v", route)
		}
	}
	if hops, err := reflector.Hops(foreign); err != nil || len(hops) > 0 {
		t.Errorf("%s goes by %v, %v", foreign, hops, err)
	}

	t.Run("once it may be, it is taken", func(t *testing.T) {
		theirs.Accepts = append(slices.Clone(bgptest.Services), foreign)
		set(t, reflector, theirs)
		waitFor(t, func() bool { hops, _ := reflector.Hops(foreign); return len(hops) == 1 }, func() string { return "it is refused still" })
		if again := sessionWith(t, reflector, speaker.Host.IPv4); again.Ups != 1 || again.Accepted != 3 {
			t.Errorf("the session is %+v", again)
		}
	})
	t.Run("too many end the session, and none of them stays", func(t *testing.T) {
		for i := range 6 {
			ours.Offers = append(ours.Offers, bgp.Offer{Prefix: netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 32), NextHop: speaker.Host.IPv4})
		}
		set(t, speaker, ours)
		waitFor(t, func() bool { hops, _ := reflector.Hops(bgptest.Services[0]); return len(hops) == 0 },
			func() string { return fmt.Sprintf("%+v", sessionWith(t, reflector, speaker.Host.IPv4)) })
		if told := wentDown(t, reflector, speaker.Host.IPv4); !strings.Contains(told.Reason, "more routes than it may") {
			t.Errorf("told was %+v", told)
		}
	})
}

func TestASessionIsNotHeldUpByOthers(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 1)
	n.up(t)
	reflector := bgptest.Reflector(n.reflectors[0].Host, n.router.Host)
	reflector.Peers = append(reflector.Peers, bgp.Peer{Address: netip.MustParseAddr("10.79.0.99"), AS: bgptest.AS, Timers: bgptest.Quick})
	if changes := set(t, n.reflectors[0], reflector); changes != 1 {
		t.Errorf("%d changes", changes)
	}
	reflector.Peers = reflector.Peers[:2]
	set(t, n.reflectors[0], reflector)
	for _, speaker := range n.speakers {
		if session := sessionWith(t, n.reflectors[0], speaker.Host.IPv4); session.State != bgp.Established || session.Ups != 1 {
			t.Errorf("%s: %+v", speaker.Host.Name, session)
		}
	}
	t.Run("callers that may not call any more are sent away", func(t *testing.T) {
		reflector.Peers = reflector.Peers[1:]
		set(t, n.reflectors[0], reflector)
		n.goesBy(t)
	})
}

func TestPages(t *testing.T) {
	t.Parallel()
	lan := bgptest.NewLAN(t)
	speaker := bgptest.Start(t, lan.Add(t, "speaker"))
	desired := bgp.Desired{AS: bgptest.AS, RouterID: speaker.Host.IPv4}
	for i := range 25 {
		prefix := netip.PrefixFrom(netip.AddrFrom4([4]byte{203, 0, 113, byte(i)}), 32)
		desired.Offers = append(desired.Offers, bgp.Offer{Prefix: prefix, NextHop: speaker.Host.IPv4})
	}
	set(t, speaker, desired)
	var got []netip.Prefix
	query, pages := bgp.Query{Most: 10}, 0
	for {
		page, err := speaker.Routes(query)
		if err != nil {
			t.Fatal(err)
		}
		if pages++; page.Known != 25 {
			t.Errorf("%d routes are known", page.Known)
		}
		for _, route := range page.Routes {
			got = append(got, route.Prefix)
		}
		if query.After = page.Next; page.Next == (bgp.Place{}) {
			break
		}
	}
	if pages != 3 || len(got) != 25 || got[24] != desired.Offers[24].Prefix {
		t.Errorf("%d pages of %v", pages, got)
	}
	for query, want := range map[string]int{"203.0.113.0/24": 0, "203.0.113.7/32": 1} {
		page, err := speaker.Routes(bgp.Query{Prefix: netip.MustParsePrefix(query)})
		if err != nil || len(page.Routes) != want {
			t.Errorf("%s: %+v, %v", query, page, err)
		}
	}
	page, err := speaker.Routes(bgp.Query{Prefix: netip.MustParsePrefix("203.0.113.8/29"), Longer: true})
	if err != nil || len(page.Routes) != 8 {
		t.Errorf("inside 203.0.113.8/29: %d, %v", len(page.Routes), err)
	}
	page, err = speaker.Routes(bgp.Query{Covers: netip.MustParseAddr("203.0.113.8")})
	if err != nil || len(page.Routes) != 1 || page.Routes[0].Prefix != desired.Offers[8].Prefix {
		t.Errorf("that hold 203.0.113.8: %+v, %v", page, err)
	}
}

func TestBeforeAnythingIsDesired(t *testing.T) {
	engine := gobgp.Open(slog.New(slog.NewTextHandler(io.Discard, nil)))
	if _, err := engine.Sessions(t.Context()); err == nil || !strings.Contains(err.Error(), "not started") {
		t.Errorf("sessions: %v", err)
	}
	if _, err := engine.Set(t.Context(), bgp.Desired{AS: 1}); err == nil || !strings.Contains(err.Error(), "router ID") {
		t.Errorf("set: %v", err)
	}
	if err := engine.Close(); err != nil {
		t.Error(err)
	}
}
