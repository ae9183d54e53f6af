package speaker_test

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/clocktest"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/health"
	"fairlead.dev/agents/internal/speaker"
)

var (
	prefix = netip.MustParsePrefix("203.0.113.7/32")
	own    = netip.MustParseAddr("10.0.0.1")
	peer   = netip.MustParseAddr("10.0.0.10")
)

// replica is a driver with a fake data path.
type replica struct {
	*speaker.Driver
	engine  *bgp.Fake
	packets *packets
	works   atomic.Bool
	live    atomic.Int32
	clock   clocktest.Clock
	ends    atomic.Int32              // calls
	ready   atomic.Pointer[time.Time] // since when a backend is up or down; nil while unknown
}

func newReplica(t *testing.T) *replica {
	r := &replica{engine: bgp.NewFake(), packets: &packets{watched: map[netip.Prefix][2]time.Time{}}}
	r.Driver = speaker.NewDriver(speaker.Options{
		Engine: r.engine, Now: r.clock.Now,
		Probe: func(context.Context, health.Target) error {
			if !r.works.Load() {
				return errors.New("no answer")
			}
			return nil
		},
		Connect: func(context.Context, health.Target) error { return errors.New("no process answers") },
		Live:    func(netip.Prefix) (int, time.Time) { return int(r.live.Load()), time.Now() },
		Ready: func(netip.Prefix, bool) time.Time {
			if since := r.ready.Load(); since != nil {
				return *since
			}
			return time.Time{}
		},
		Log: slog.New(slog.DiscardHandler),

		Ends: func() { r.ends.Add(1) },

		Arrivals: r.packets,
	})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func desired() speaker.Desired {
	check := health.Check{Kind: health.TCP, Interval: 10 * time.Millisecond, Timeout: time.Second, Rise: 1, Fall: 2}
	return speaker.Desired{
		On: true, DrainFor: time.Minute, BGP: bgp.Desired{AS: 65021, RouterID: own},
		Services: []speaker.Service{{
			Offer:  bgp.Offer{Prefix: prefix, NextHop: own, Communities: []bgp.Community{1}},
			Probes: []health.Target{{Address: prefix.Addr(), Port: 80, Check: check}},
		}},
	}
}

// waitForState waits until the service has this state, and the engine has the matching settings.
func (r *replica) waitForState(t *testing.T, want speaker.State, offers int) speaker.Announcement {
	t.Helper()
	deadline := time.After(time.Minute)
	for {
		if _, err := r.Woken(t.Context()); err != nil {
			t.Fatal(err)
		}
		observed, err := r.Observe(t.Context())
		if err != nil || len(observed.Announcements) != 1 {
			t.Fatalf("%+v, %v", observed, err)
		}
		lastSet, _ := r.engine.LastSet()
		if one := observed.Announcements[0]; one.State == want && len(lastSet.Offers) == offers {
			return one
		}
		select {
		case <-r.Wake():
		case <-deadline:
			t.Fatalf("got %+v, want %s", observed.Announcements[0], want)
		}
	}
}

func set(t *testing.T, r *replica, desired speaker.Desired) {
	t.Helper()
	if _, err := r.Set(t.Context(), desired); err != nil {
		t.Fatal(err)
	}
}

func TestOnlyWorkingServicesAreAdvertised(t *testing.T) {
	r := newReplica(t)
	set(t, r, desired())
	if lastSet, _ := r.engine.LastSet(); len(lastSet.Offers) > 0 {
		t.Errorf("advertised before any probe: %+v", lastSet.Offers)
	}
	if one := r.waitForState(t, speaker.Withdrawn, 0); !strings.HasPrefix(one.Why, "Not announced: ") {
		t.Errorf("got %+v", one)
	}
	r.works.Store(true)
	offered := r.waitForState(t, speaker.Offered, 1)
	if lastSet, _ := r.engine.LastSet(); lastSet.Offers[0].Preference != 0 || len(lastSet.Offers[0].Communities) != 1 {
		t.Errorf("advertised: %+v", lastSet.Offers[0])
	}
	r.works.Store(false)
	if one := r.waitForState(t, speaker.Withdrawn, 0); !one.Since.After(offered.Since) || !strings.Contains(one.Why, "no answer") {
		t.Errorf("got %+v after %+v", one, offered)
	}
}

func TestAFlappingServiceIsHeldBack(t *testing.T) {
	r := newReplica(t)
	set(t, r, desired())
	const falls = 4
	for range falls {
		r.works.Store(true)
		r.waitForState(t, speaker.Offered, 1)
		r.works.Store(false)
		r.waitForState(t, speaker.Withdrawn, 0)
	}
	r.works.Store(true)
	time.Sleep(200 * time.Millisecond) // twenty successful probes
	if one := r.waitForState(t, speaker.Withdrawn, 0); one.Why == "" {
		t.Errorf("got %+v", one)
	}
}

// Changes of the host's wall clock don't change any wait.
func TestWallClockChangesHaveNoEffect(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	r.live.Store(2)
	leaving := desired()
	leaving.DrainFor = 4 * time.Second
	set(t, r, leaving)
	r.waitForState(t, speaker.Offered, 1)
	stays := func(want speaker.State, offers int) {
		t.Helper()
		for _, by := range []time.Duration{time.Hour, -time.Hour} {
			r.clock.Set(by)
			if _, err := r.Woken(t.Context()); err != nil {
				t.Fatal(err)
			}
			r.waitForState(t, want, offers)
		}
	}
	stays(speaker.Offered, 1)
	leaving.Services[0].Leaving = true
	set(t, r, leaving)
	began := time.Now()
	stays(speaker.Draining, 1)
	if took := time.Since(began); took > leaving.DrainFor {
		t.Fatalf("the test ran too slowly: %s", took)
	}
	r.waitForState(t, speaker.Withdrawn, 0)
	if took := time.Since(began); took < leaving.DrainFor || took > leaving.DrainFor+time.Minute { // the wall clock is an hour off
		t.Errorf("drained for %s", took)
	}
}

func TestInvalidSettingsAreRejected(t *testing.T) {
	r := newReplica(t)
	for want, spoil := range map[string]func(*speaker.Desired){
		"set a port to probe": func(d *speaker.Desired) { d.Services[0].Probes = nil },
		"it is listed twice":  func(d *speaker.Desired) { d.Services = append(d.Services, d.Services[0]) },
		"is outside it":       func(d *speaker.Desired) { d.Services[0].Probes[0].Address = own },
		"default route":       func(d *speaker.Desired) { d.Services[0].Offer.Prefix = netip.MustParsePrefix("0.0.0.0/0") },
		"router ID":           func(d *speaker.Desired) { d.BGP.RouterID = netip.Addr{} },
	} {
		bad := desired()
		spoil(&bad)
		if _, err := r.Set(t.Context(), bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got error %v, want %q", err, want)
		}
	}
}

func TestServicesOfAProcessAreProbedByAConnection(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	plain := desired()
	set(t, r, plain)
	r.waitForState(t, speaker.Offered, 1)
	plain.Services[0].Plain = true
	set(t, r, plain)
	if one := r.waitForState(t, speaker.Withdrawn, 0); !strings.Contains(one.Why, "no process answers") {
		t.Errorf("got %+v", one)
	}
}

func TestASpeakerThatIsOffHasNoSessions(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	set(t, r, desired())
	r.waitForState(t, speaker.Offered, 1)
	set(t, r, speaker.Desired{})
	if _, closed := r.engine.LastSet(); !closed {
		t.Error("its sessions are still up")
	}
	if observed, err := r.Observe(t.Context()); err != nil || len(observed.Announcements) > 0 {
		t.Errorf("%+v, %v", observed, err)
	}
	set(t, r, desired())
	r.waitForState(t, speaker.Offered, 1)
}

// transitions are those of the next report, as "from > to: reason".
func (r *replica) transitions() (lines []string) {
	report := new(agentv1.ReportRequest)
	speaker.NewRole(r.Driver, "lo").Fill(speaker.Observed{On: true}, report)
	for _, one := range report.GetBgp().GetTransitions() {
		lines = append(lines, one.GetFrom()+" > "+one.GetTo()+": "+one.GetReason())
	}
	return lines
}

func TestEveryTransitionOfAServiceIsReported(t *testing.T) {
	r := newReplica(t)
	set(t, r, desired())
	r.waitForState(t, speaker.Withdrawn, 0)
	for range 2 {
		r.works.Store(true)
		r.waitForState(t, speaker.Offered, 1)
		r.works.Store(false)
		r.waitForState(t, speaker.Withdrawn, 0)
	}
	r.works.Store(true)
	r.waitForState(t, speaker.Offered, 1)
	without := desired()
	without.Services = nil
	set(t, r, without)

	want := []string{
		"withdrawn > offered: ", "offered > withdrawn: Not announced: the probe has been failing since",
		"withdrawn > offered: ", "offered > withdrawn: Not announced: the probe has been failing since",
		"withdrawn > offered: ", "offered > withdrawn: The service was removed from this replica.",
	}
	got := slices.DeleteFunc(r.transitions(), func(one string) bool { return strings.HasPrefix(one, "withdrawn > withdrawn") })
	if len(got) != len(want) {
		t.Fatalf("got %q", got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	if again := r.transitions(); len(again) > 0 {
		t.Errorf("reported again: %q", again)
	}
}
