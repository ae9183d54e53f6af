package gobgp_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/bgptest"
	"fairlead.dev/agents/internal/bgp/gobgp"
)

func TestALostReflectorKeepsTheRoutes(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 2, 2)
	n.up(t)
	n.reflectors[0].Kill()
	waitFor(t, func() bool {
		return sessionWith(t, n.router, n.reflectors[0].Host.IPv4).State != bgp.Established
	}, func() string { return "the router still has a session with the reflector" })
	n.goesBy(t, n.speakers...)
	if reported := waitForDown(t, n.router, n.reflectors[0].Host.IPv4); !strings.Contains(reported.Reason, "the connection to the peer failed") {
		t.Errorf("got %+v", reported)
	}
}

func TestAFrozenSpeakerIsRemoved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		detection  bgp.Detection
		within     time.Duration
		wantReason string
	}{
		{"after the hold time", bgp.Detection{}, 10 * time.Second, "hold timer expired"},
		{"at once, by BFD", bgp.Detection{Interval: 100 * time.Millisecond, Multiplier: 3}, bgptest.Quick.Hold, "BFD detected"},
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
				takeAll(t, reflector) // the changed detection closed the callers' sessions
			}
			began := time.Now()
			if err := n.speakers[0].Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			n.goesBy(t, n.speakers[1])
			if took := time.Since(began); took > c.within {
				t.Errorf("removed after %v, want at most %v", took, c.within)
			}
			if reported := waitForDown(t, n.reflectors[0], n.speakers[0].Host.IPv4); !strings.Contains(reported.Reason, c.wantReason) {
				t.Errorf("got %+v", reported)
			}
		})
	}
}

// The families that a session can use for transport.
var transports = map[string]bool{"over IPv4": false, "over IPv6": true}

// over adds settings for a session from the speaker to the reflector.
func over(six bool, speaker, reflector *bgptest.Host, ours, theirs *bgp.Desired) (from, to netip.Addr) {
	if !six {
		return speaker.IPv4, reflector.IPv4
	}
	theirs.Peers[0].Callers, ours.Peers[0].Address = bgptest.Prefix6, reflector.IPv6
	return speaker.IPv6, reflector.IPv6
}

func TestMismatchedSettingsPreventASession(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		reflector, other func(*bgp.Peer) // the settings of the two ends for each other
		comesUp          bool
		wantReason       string // the reason that the reflector reports when there is no session, or
		bySpeaker        bool   // the speaker
	}{
		{"the same password", func(p *bgp.Peer) { p.Password = "right" }, func(p *bgp.Peer) { p.Password = "right" }, true, "", false},
		{"a wrong password", func(p *bgp.Peer) { p.Password = "right" }, func(p *bgp.Peer) { p.Password = "wrong" }, false, "", false},
		{"no password", func(p *bgp.Peer) { p.Password = "right" }, func(*bgp.Peer) {}, false, "", false},
		{"GTSM at both ends", func(p *bgp.Peer) { p.NearOnly = true }, func(p *bgp.Peer) { p.NearOnly = true }, true, "", false},
		{"a TTL that is too low", func(p *bgp.Peer) { p.NearOnly = true }, func(*bgp.Peer) {}, false, "hold timer", true},
		{"a different AS", func(*bgp.Peer) {}, func(p *bgp.Peer) { p.AS = 65099 }, false, "check its AS", false},
	} {
		for transport, six := range transports {
			t.Run(c.name+" "+transport, func(t *testing.T) {
				t.Parallel()
				lan := bgptest.NewLAN(t)
				speaker, reflector := bgptest.Start(t, lan.Add(t, "speaker")), bgptest.Start(t, lan.Add(t, "reflector"))
				theirs, ours := bgptest.Reflector(reflector.Host), bgptest.Speaker(speaker.Host, reflector.Host)
				from, to := over(six, speaker.Host, reflector.Host, &ours, &theirs)
				c.reflector(&theirs.Peers[0])
				set(t, reflector, theirs)
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
				if c.comesUp {
					waitFor(t, arrived, func() string { return fmt.Sprintf("it is %+v", sessionWith(t, reflector, from)) })
					return
				}
				for began := time.Now(); time.Since(began) < usually && !arrived(); time.Sleep(20 * time.Millisecond) {
				}
				if arrived() {
					t.Errorf("it is %+v", sessionWith(t, reflector, from))
				}
				if c.wantReason == "" {
					return
				}
				who, of := reflector, from
				if c.bySpeaker { // which sees the reflector as silent
					who, of = speaker, to
				}
				if reported := waitForDown(t, who, of); !strings.Contains(reported.Reason, c.wantReason) {
					t.Errorf("got %+v", reported)
				}
			})
		}
	}
}

func TestBFDFindsAFrozenSpeakerOverBothFamilies(t *testing.T) {
	t.Parallel()
	for transport, six := range transports {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			lan := bgptest.NewLAN(t)
			speaker, reflector := bgptest.Start(t, lan.Add(t, "speaker")), bgptest.Start(t, lan.Add(t, "reflector"))
			theirs, ours := bgptest.Reflector(reflector.Host), bgptest.Speaker(speaker.Host, reflector.Host)
			from, _ := over(six, speaker.Host, reflector.Host, &ours, &theirs)
			detection := bgp.Detection{Interval: 100 * time.Millisecond, Multiplier: 3}
			theirs.Peers[0].Detection, ours.Peers[0].Detection = detection, detection
			set(t, reflector, theirs)
			set(t, speaker, ours)
			waitFor(t, func() bool { return sessionWith(t, reflector, from).Detection == "up" },
				func() string { return fmt.Sprintf("it is %+v", sessionWith(t, reflector, from)) })
			takeAll(t, reflector)
			if err := speaker.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			if reported := waitForDown(t, reflector, from); !strings.Contains(reported.Reason, "BFD detected") {
				t.Errorf("got %+v", reported)
			}
		})
	}
}

func TestChangesKeepOtherSessionsUp(t *testing.T) {
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
		if session := sessionWith(t, n.reflectors[0], speaker.Host.IPv4); session.State != bgp.Established || session.EstablishedCount != 1 {
			t.Errorf("%s: %+v", speaker.Host.Name, session)
		}
	}
	t.Run("callers outside the prefix are closed", func(t *testing.T) {
		reflector.Peers = reflector.Peers[1:]
		set(t, n.reflectors[0], reflector)
		n.goesBy(t)
	})
}

// A router with a new address connects before its settings change, as a dynamic peer of the
// callers' prefix, and receives no routes. Then it is added as a named peer.
func TestADynamicPeerBecomesANamedPeer(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, 1, 1)
	reflector := n.reflectors[0]
	set(t, reflector, bgptest.Reflector(reflector.Host))
	set(t, n.router, bgptest.Router(n.router.Host, reflector.Host))
	set(t, n.speakers[0], bgptest.Speaker(n.speakers[0].Host, reflector.Host))
	for _, process := range []*bgptest.Process{n.router, n.speakers[0]} {
		waitFor(t, func() bool { return sessionWith(t, reflector, process.Host.IPv4).State == bgp.Established },
			func() string { return process.Host.Name + " is blocked" })
	}
	set(t, reflector, bgptest.Reflector(reflector.Host, n.router.Host))
	n.goesBy(t, n.speakers[0])
	if session := sessionWith(t, reflector, n.speakers[0].Host.IPv4); session.State != bgp.Established || session.EstablishedCount != 1 {
		t.Errorf("the session with another caller is %+v", session)
	}
}

func TestBeforeTheFirstSet(t *testing.T) {
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
