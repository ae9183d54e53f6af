package cookie

import (
	"slices"
	"testing"
	"time"
)

// Hosts get new keys at different moments, in any order, and start again with what they have.
func TestHostsAcceptEachOthersKeysDuringARotation(t *testing.T) {
	keys := func(i byte) Keys { return Keys{Message: [32]byte{i}} }
	former, next := Set{Current: keys(2), Previous: keys(1)}, Set{Current: keys(3), Previous: keys(2)}
	const late = 90 * time.Second
	for _, restarts := range []bool{false, true} {
		began := time.Now()
		var early, other Turnover
		for _, host := range []*Turnover{&early, &other} {
			if got := host.Use(former, began); got != former {
				t.Errorf("before the rotation: %v", got)
			}
		}
		for after := time.Second; after < 10*time.Minute; after += time.Second {
			now, has := began.Add(after), former
			if after > late {
				has = next
			}
			if restarts && after == late/2 {
				other = Turnover{}
			}
			a, b := early.Use(next, now), other.Use(has, now)
			if accepted := b.Accepted(); !slices.Contains(accepted[:], a.Current) {
				t.Fatalf("after %s the late host rejects keys %d", after, a.Current.Message[0])
			}
			if accepted := a.Accepted(); !slices.Contains(accepted[:], b.Current) {
				t.Fatalf("after %s the early host rejects keys %d", after, b.Current.Message[0])
			}
		}
		if got := early.Use(next, began.Add(time.Hour)); got != next {
			t.Errorf("the new keys are never used: %v", got)
		}
	}
}

func TestOnlyKeysThatFollowAreDelayed(t *testing.T) {
	keys := func(i byte) Keys { return Keys{Message: [32]byte{i}} }
	for _, next := range []Set{{Current: keys(5), Previous: keys(4)}, {Current: keys(3)}} {
		var host Turnover
		host.Use(Set{Current: keys(2), Previous: keys(1)}, time.Now())
		if got := host.Use(next, time.Now()); got != next {
			t.Errorf("after %d, %d are used", next.Current.Message[0], got.Current.Message[0])
		}
	}
}
