package message_test

import (
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/message"
	"fairlead.dev/agents/internal/bgp/tcpdrops"
	"fairlead.dev/agents/internal/events"
)

func TestSessionMonitorReportsSessionsThatAreNotUp(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var counts tcpdrops.Counts
	var failure error
	doubts := message.SessionMonitor{Dropped: func() (tcpdrops.Counts, error) { return counts, failure }}
	news := events.Events{Log: slog.New(slog.DiscardHandler)}
	down := bgp.Session{Peer: netip.MustParseAddr("10.0.0.10"), AS: 65021, State: bgp.Active}
	up, caller := down, down
	up.State, caller.Dynamic = bgp.Established, true
	lost, full := down, down
	lost.LastError, full.OverLimit = "the peer closed the session", true
	for _, step := range []struct {
		name    string
		after   time.Duration
		session bgp.Session
		counts  tcpdrops.Counts
		failure error
		want    string // reason and part of the message; empty: no event
	}{
		{"start", 0, down, tcpdrops.Counts{WrongPassword: 7, TooFar: 7}, nil, ""},
		{"connecting", 14 * time.Second, down, tcpdrops.Counts{}, nil, ""},
		{"no answer", time.Second, down, tcpdrops.Counts{}, nil, "BgpSessionNotUp: has not answered"},
		{"still no answer", time.Hour, down, tcpdrops.Counts{}, nil, ""},
		{"up", time.Second, up, tcpdrops.Counts{}, nil, ""},
		{"lost", time.Second, lost, tcpdrops.Counts{}, nil, ""},
		{"not back", 15 * time.Second, lost, tcpdrops.Counts{}, nil, "BgpSessionNotUp: for 15s. Last error: the peer closed the session."},
		{"dynamic peer down", time.Second, caller, tcpdrops.Counts{}, nil, ""},
		{"dynamic peers aren't expected", time.Hour, caller, tcpdrops.Counts{}, nil, ""},
		{"over the route limit", 0, full, tcpdrops.Counts{}, nil, ""},
		{"still closed", time.Minute, full, tcpdrops.Counts{}, nil, "BgpSessionNotUp: exceeded its route limit"},
		{"a wrong password", 0, up, tcpdrops.Counts{WrongPassword: 9, TooFar: 7}, nil, "BgpPasswordWrong: dropped 2 packets"},
		{"again, soon", time.Minute, up, tcpdrops.Counts{WrongPassword: 19, TooFar: 7}, nil, ""},
		{"a TTL that is too low", 0, up, tcpdrops.Counts{WrongPassword: 19, TooFar: 8}, nil, "BgpTtlTooLow: dropped 1 packets"},
		{"a kernel that doesn't count", time.Hour, up, tcpdrops.Counts{}, errors.New("no file"), ""},
		{"again, much later", time.Hour, up, tcpdrops.Counts{WrongPassword: 20, TooFar: 8}, nil, "BgpPasswordWrong: dropped 1 packets"},
	} {
		now = now.Add(step.after)
		failure = step.failure
		if step.counts != (tcpdrops.Counts{}) {
			counts = step.counts
		}
		doubts.Check(&news, []bgp.Session{step.session}, now)
		var got string
		for _, event := range news.Take() {
			got += event.GetReason() + ": " + event.GetMessage()
			if !event.GetWarning() {
				t.Errorf("%s: %s is not a warning", step.name, got)
			}
		}
		reason, words, _ := strings.Cut(step.want, ": ")
		if (got == "") != (step.want == "") || !strings.HasPrefix(got, reason) || !strings.Contains(got, words) {
			t.Errorf("%s: got %q, want %q", step.name, got, step.want)
		}
	}
}

func TestSessionMonitorLimitsReportsOfFlaps(t *testing.T) {
	begun := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		every time.Duration // between establishments
		lasts time.Duration
		want  int // reports
	}{
		{"it stays up", time.Hour, 30 * time.Minute, 0},
		{"rare reconnections", 21 * time.Second, 30 * time.Minute, 0},
		{"two hosts have one address", 4 * time.Second, 25 * time.Minute, 3},
	} {
		doubts := message.SessionMonitor{Dropped: func() (tcpdrops.Counts, error) { return tcpdrops.Counts{}, nil }}
		news := events.Events{Log: slog.New(slog.DiscardHandler)}
		for at := time.Duration(0); at < c.lasts; at += time.Second {
			session := bgp.Session{
				Peer: netip.MustParseAddr("10.0.0.7"), AS: 65021, State: bgp.Established, Dynamic: true, EstablishedCount: 1 + uint64(at/c.every),
			}
			doubts.Check(&news, []bgp.Session{session}, begun.Add(at))
		}
		reported := news.Take()
		if len(reported) != c.want {
			t.Errorf("%s: got %v", c.name, reported)
		}
		for _, one := range reported {
			if one.GetReason() != message.SessionFlaps || !strings.Contains(one.GetMessage(), "with 10.0.0.7 of AS 65021 came up 4 times") || !one.GetWarning() {
				t.Errorf("%s: got %v", c.name, one)
			}
		}
	}
}
