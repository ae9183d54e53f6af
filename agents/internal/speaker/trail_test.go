package speaker_test

import (
	"maps"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairlead.dev/agents/internal/bgp"
	agentv1 "fairlead.dev/agents/internal/gen/fairlead/agent/v1"
	"fairlead.dev/agents/internal/speaker"
)

// packets are the arrivals that a test injects.
type packets struct {
	mutex   sync.Mutex
	watched map[netip.Prefix][2]time.Time
}

func (p *packets) Watch(prefix netip.Prefix) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.watched[prefix] = [2]time.Time{}
	return nil
}

func (p *packets) Seen(prefix netip.Prefix) (first, last time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.watched[prefix][0], p.watched[prefix][1]
}

func (p *packets) Forget(prefix netip.Prefix) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	delete(p.watched, prefix)
}

func (p *packets) Close() error { return nil }

func (p *packets) come(prefix netip.Prefix, first, last time.Time) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.watched[prefix] = [2]time.Time{first, last}
}

func (p *packets) looks(prefix netip.Prefix) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return slices.Contains(slices.Collect(maps.Keys(p.watched)), prefix)
}

// steps are those of the next report.
func (r *replica) steps(t *testing.T) []*agentv1.RouteUpdate {
	t.Helper()
	observed, err := r.Observe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	report := new(agentv1.ReportRequest)
	speaker.NewRole(r.Driver, "lo").Fill(observed, report)
	return report.GetBgp().GetUpdates()
}

func (r *replica) meets(peer netip.Addr, at time.Time) {
	r.engine.AddChanges(bgp.Changes{Sessions: []bgp.Transition{{At: at, Peer: peer, State: bgp.Established}}})
}

func wantSteps(t *testing.T, got []*agentv1.RouteUpdate, withdrawn bool, want ...bgp.Step) {
	t.Helper()
	names := []bgp.Step{}
	var before time.Time
	for _, one := range got {
		names = append(names, bgp.Step(one.GetStep()))
		if one.GetPrefix() != prefix.String() || one.GetNextHop() != own.String() || one.GetWithdrawn() != withdrawn {
			t.Errorf("unexpected step: %v", one)
		}
		if at := one.GetAt().AsTime(); at.Before(before) {
			t.Errorf("%s is earlier than the previous step", one.GetStep())
		} else {
			before = at
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("steps %v, want %v", names, want)
	}
}

func TestStepsOfAnAnnouncementAndOfAWithdrawal(t *testing.T) {
	r := newReplica(t)
	r.meets(peer, time.Now())
	set(t, r, desired())
	r.works.Store(true)
	r.waitForState(t, speaker.Offered, 1)
	wantSteps(t, r.steps(t), false, bgp.Caused, bgp.Announced)
	if got := r.steps(t); len(got) > 0 {
		t.Errorf("reported twice: %v", got)
	}
	r.packets.come(prefix, time.Now(), time.Now())
	wantSteps(t, r.steps(t), false, bgp.Carried)
	if r.packets.looks(prefix) {
		t.Error("packets are still observed after the first")
	}
	r.works.Store(false)
	began := time.Now()
	withdrawn := r.waitForState(t, speaker.Withdrawn, 0)
	gone := r.steps(t)
	wantSteps(t, gone, true, bgp.Caused, bgp.Announced)
	if caused := gone[0].GetAt().AsTime(); caused.Before(began) || !caused.Before(withdrawn.Since) {
		t.Errorf("first failed probe at %s, want after the failure at %s and before the withdrawal at %s", caused, began, withdrawn.Since)
	}
	if !r.packets.looks(prefix) {
		t.Error("the last packet is not observed")
	}
}

// A backend that has been ready for long is no cause, and neither is one that becomes ready later.
func TestTheCausingReadinessIsReportedLater(t *testing.T) {
	for _, test := range []struct {
		name   string
		before time.Duration // the announcement
		want   []bgp.Step
	}{
		{"a moment before", time.Second, []bgp.Step{bgp.Ready}},
		{"long before", time.Minute, []bgp.Step{}},
		{"after it", -time.Second, []bgp.Step{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newReplica(t)
				r.meets(peer, time.Now())
				set(t, r, desired())
				r.works.Store(true)
				offered := r.waitForState(t, speaker.Offered, 1)
				ready := offered.Since.Add(-test.before)
				r.ready.Store(&ready)
				wantSteps(t, r.steps(t), false, bgp.Caused, bgp.Announced)
				time.Sleep(2 * time.Second)
				wantSteps(t, r.steps(t), false, test.want...)
				wantSteps(t, r.steps(t), false)
			})
		})
	}
}

func TestUpdatesWithoutAPeerAreAnnouncedWhenOneConnects(t *testing.T) {
	r := newReplica(t)
	set(t, r, desired())
	r.works.Store(true)
	r.waitForState(t, speaker.Offered, 1)
	wantSteps(t, r.steps(t), false)
	at := time.Now().Add(time.Second)
	r.meets(peer, at)
	r.waitForState(t, speaker.Offered, 1)
	steps := r.steps(t)
	wantSteps(t, steps, false, bgp.Caused, bgp.Announced)
	if reported := steps[1].GetAt().AsTime(); !reported.Equal(at) {
		t.Errorf("announced at %s, session up at %s", reported, at)
	}
}

// The last resort receives no new flows: for packets, draining is the withdrawal.
func TestDrainingCountsAsWithdrawn(t *testing.T) {
	r := newReplica(t)
	r.meets(peer, time.Now())
	r.works.Store(true)
	r.live.Store(1)
	set(t, r, desired())
	r.waitForState(t, speaker.Offered, 1)
	r.steps(t)
	leaving := desired()
	leaving.Leaving = true
	set(t, r, leaving)
	r.waitForState(t, speaker.Draining, 1)
	wantSteps(t, r.steps(t), true, bgp.Announced)
	r.packets.come(prefix, time.Now(), time.Now())
	r.live.Store(0)
	r.leave(t)
	got := r.steps(t) // of the last report of a process
	if len(got) != 2 || got[0].GetStep() != string(bgp.Announced) || got[1].GetStep() != string(bgp.Carried) || !got[1].GetWithdrawn() {
		t.Errorf("steps %v", got)
	}
}
