package bgp_test

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

func TestOfTooManyUpdatesTheNewestAreKept(t *testing.T) {
	const most, all = 4000, 9001
	begun := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var updates bgp.Updates
	for i := range all {
		updates.Note(bgp.Update{At: begun.Add(time.Duration(i))})
	}
	if updates.Waiting() != most {
		t.Errorf("%d wait", updates.Waiting())
	}
	taken := updates.Take()
	if len(taken) != most || !taken[0].At.Equal(begun.Add(all-most)) || !taken[most-1].At.Equal(begun.Add(all-1)) {
		t.Errorf("%d taken, from %s to %s", len(taken), taken[0].At, taken[len(taken)-1].At)
	}
	if updates.Waiting() != 0 || len(updates.Take()) != 0 {
		t.Error("they were taken twice")
	}
}
