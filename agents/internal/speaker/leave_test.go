package speaker_test

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/speaker"
)

func TestItLeavesByAndBy(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	r.live.Store(2)
	leaving := desired()
	set(t, r, leaving)
	r.stands(t, speaker.Offered, 1)
	leaving.Services[0].Leaving = true
	set(t, r, leaving)
	r.stands(t, speaker.Draining, 1)
	asked, _ := r.engine.Asked()
	if last := asked.Offers[0]; last.Preference != bgp.Drained || len(last.Communities) != 2 || last.Communities[1] != bgp.GracefulShutdown {
		t.Errorf("offered is %+v", last)
	}
	t.Run("and stays if it is asked to", func(t *testing.T) {
		set(t, r, desired())
		r.stands(t, speaker.Offered, 1)
		set(t, r, leaving)
		r.stands(t, speaker.Draining, 1)
	})
	r.live.Store(0)
	r.stands(t, speaker.Withdrawn, 0)
}

func TestADrainedNodeReturnsAfterAllWasWithdrawn(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	draining := desired()
	draining.Leaving = true
	set(t, r, draining)
	r.stands(t, speaker.Withdrawn, 0)
	set(t, r, desired())
	r.stands(t, speaker.Offered, 1)
}

func TestAProcessThatIsAskedToStopLeavesFirst(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	r.live.Store(1)
	set(t, r, desired())
	r.stands(t, speaker.Offered, 1)
	time.AfterFunc(1500*time.Millisecond, func() { r.live.Store(0) })
	began := time.Now()
	r.leave(t)
	if asked, _ := r.engine.Asked(); len(asked.Offers) > 0 || time.Since(began) < time.Second {
		t.Errorf("after %v it offers %+v", time.Since(began), asked.Offers)
	}
}

// What comes while a process ends doesn't keep it.
func TestAProcessThatEndsTakesNothingBack(t *testing.T) {
	r := newReplica(t)
	r.works.Store(true)
	r.live.Store(1)
	set(t, r, desired())
	r.stands(t, speaker.Offered, 1)
	for range 2 {
		if left, err := r.Leave(t.Context()); left || err != nil {
			t.Fatalf("left %v, %v", left, err)
		}
		set(t, r, desired())
		r.stands(t, speaker.Draining, 1)
	}
	if ends := r.ends.Load(); ends != 1 {
		t.Errorf("it was told %d times that the process ends", ends)
	}
	r.live.Store(0)
	r.leave(t)
}

// leave does as the agent's loop does, until all is withdrawn.
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
			t.Fatal("it doesn't leave")
		}
	}
}
