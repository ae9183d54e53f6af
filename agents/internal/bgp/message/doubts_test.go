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
	"fairlead.dev/agents/internal/bgp/unheard"
	"fairlead.dev/agents/internal/events"
)

func TestWhatNeverBecomesASessionIsTold(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var counts unheard.Counts
	var failure error
	doubts := message.Doubts{Dropped: func() (unheard.Counts, error) { return counts, failure }}
	news := events.Events{Log: slog.New(slog.DiscardHandler)}
	down := bgp.Session{Peer: netip.MustParseAddr("10.0.0.10"), AS: 65021, State: bgp.Active}
	up, caller := down, down
	up.State, caller.Called = bgp.Established, true
	lost, full := down, down
	lost.LastError, full.Full = "the peer ended it", true
	for _, step := range []struct {
		name    string
		after   time.Duration
		session bgp.Session
		counts  unheard.Counts
		failure error
		want    string // reason and words; empty: nothing is told
	}{
		{"it begins", 0, down, unheard.Counts{WrongPassword: 7, TooFar: 7}, nil, ""},
		{"it is being called", 14 * time.Second, down, unheard.Counts{}, nil, ""},
		{"it does not answer", time.Second, down, unheard.Counts{}, nil, "BgpSessionNotUp: nothing is heard of it"},
		{"it still doesn't", time.Hour, down, unheard.Counts{}, nil, ""},
		{"it is up", time.Second, up, unheard.Counts{}, nil, ""},
		{"it is lost", time.Second, lost, unheard.Counts{}, nil, ""},
		{"and does not come back", 15 * time.Second, lost, unheard.Counts{}, nil, "BgpSessionNotUp: for 15s, since the peer ended it."},
		{"a caller that is away", time.Second, caller, unheard.Counts{}, nil, ""},
		{"nobody waits for it", time.Hour, caller, unheard.Counts{}, nil, ""},
		{"it offered too much", 0, full, unheard.Counts{}, nil, ""},
		{"and is shut", time.Minute, full, unheard.Counts{}, nil, "BgpSessionNotUp: more routes than it may"},
		{"a wrong password", 0, up, unheard.Counts{WrongPassword: 9, TooFar: 7}, nil, "BgpPasswordWrong: dropped 2 packets"},
		{"again, soon", time.Minute, up, unheard.Counts{WrongPassword: 19, TooFar: 7}, nil, ""},
		{"a TTL that is too low", 0, up, unheard.Counts{WrongPassword: 19, TooFar: 8}, nil, "BgpTtlTooLow: dropped 1 packets"},
		{"a kernel that doesn't count", time.Hour, up, unheard.Counts{}, errors.New("no file"), ""},
		{"again, much later", time.Hour, up, unheard.Counts{WrongPassword: 20, TooFar: 8}, nil, "BgpPasswordWrong: dropped 1 packets"},
	} {
		now = now.Add(step.after)
		failure = step.failure
		if step.counts != (unheard.Counts{}) {
			counts = step.counts
		}
		doubts.Look(&news, []bgp.Session{step.session}, now)
		var got string
		for _, event := range news.Take() {
			got += event.GetReason() + ": " + event.GetMessage()
			if !event.GetWarning() {
				t.Errorf("%s: %s is no warning", step.name, got)
			}
		}
		reason, words, _ := strings.Cut(step.want, ": ")
		if (got == "") != (step.want == "") || !strings.HasPrefix(got, reason) || !strings.Contains(got, words) {
			t.Errorf("%s: told is %q, want %q", step.name, got, step.want)
		}
	}
}

func TestASessionThatFlapsIsToldNowAndThen(t *testing.T) {
	begun := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		every time.Duration // it comes up
		lasts time.Duration
		want  int // times that it is told
	}{
		{"it stays up", time.Hour, 30 * time.Minute, 0},
		{"it is back now and then", 21 * time.Second, 30 * time.Minute, 0},
		{"two hosts have one address", 4 * time.Second, 25 * time.Minute, 3},
	} {
		doubts := message.Doubts{Dropped: func() (unheard.Counts, error) { return unheard.Counts{}, nil }}
		news := events.Events{Log: slog.New(slog.DiscardHandler)}
		for at := time.Duration(0); at < c.lasts; at += time.Second {
			session := bgp.Session{
				Peer: netip.MustParseAddr("10.0.0.7"), AS: 65021, State: bgp.Established, Called: true, Ups: 1 + uint64(at/c.every),
			}
			doubts.Look(&news, []bgp.Session{session}, begun.Add(at))
		}
		told := news.Take()
		if len(told) != c.want {
			t.Errorf("%s: told is %v", c.name, told)
		}
		for _, one := range told {
			if one.GetReason() != message.SessionFlaps || !strings.Contains(one.GetMessage(), "with 10.0.0.7 of AS 65021 came up 4 times") || !one.GetWarning() {
				t.Errorf("%s: told is %v", c.name, one)
			}
		}
	}
}
