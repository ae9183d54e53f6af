package speaker_test

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/speaker"
)

func TestLeavingDrainsThenWithdraws(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	r.live.Store(2)
	leaving := desired()
	set(t, r, leaving)
	r.waitForState(t, speaker.Offered, 1)
	leaving.Services[0].Leaving = true
	set(t, r, leaving)
	r.waitForState(t, speaker.Draining, 1)
	lastSet, _ := r.engine.LastSet()
	if last := lastSet.Offers[0]; last.Preference != bgp.Drained || len(last.Communities) != 2 || last.Communities[1] != bgp.GracefulShutdown {
		t.Errorf("advertised: %+v", last)
	}
	t.Run("a service can stop leaving", func(t *testing.T) {
		set(t, r, desired())
		r.waitForState(t, speaker.Offered, 1)
		set(t, r, leaving)
		r.waitForState(t, speaker.Draining, 1)
	})
	r.live.Store(0)
	r.waitForState(t, speaker.Withdrawn, 0)
}

func TestADrainedNodeCanReturn(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	draining := desired()
	draining.Leaving = true
	set(t, r, draining)
	r.waitForState(t, speaker.Withdrawn, 0)
	set(t, r, desired())
	r.waitForState(t, speaker.Offered, 1)
}

func TestAStoppingProcessLeavesFirst(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	r.live.Store(1)
	set(t, r, desired())
	r.waitForState(t, speaker.Offered, 1)
	time.AfterFunc(1500*time.Millisecond, func() { r.live.Store(0) })
	began := time.Now()
	r.leave(t)
	if lastSet, _ := r.engine.LastSet(); len(lastSet.Offers) > 0 || time.Since(began) < time.Second {
		t.Errorf("still advertised after %v: %+v", time.Since(began), lastSet.Offers)
	}
}

// A Set while the process stops doesn't cancel leaving.
func TestSetDoesNotCancelLeaving(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	r.live.Store(1)
	set(t, r, desired())
	r.waitForState(t, speaker.Offered, 1)
	for range 2 {
		if left, err := r.Leave(t.Context()); left || err != nil {
			t.Fatalf("left %v, %v", left, err)
		}
		set(t, r, desired())
		r.waitForState(t, speaker.Draining, 1)
	}
	if ends := r.ends.Load(); ends != 1 {
		t.Errorf("Ends was called %d times", ends)
	}
	r.live.Store(0)
	r.leave(t)
}

// leave acts like the agent's loop, until all services are withdrawn.
func (r *replica) leave(t *testing.T) {
	t.Helper()
	deadline := time.After(10 * time.Second)
	for {
		left, err := r.Leave(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if left {
			return
		}
		select {
		case <-r.Wake():
			if _, err := r.Woken(t.Context()); err != nil {
				t.Fatal(err)
			}
		case <-deadline:
			t.Fatal("it did not leave")
		}
	}
}
