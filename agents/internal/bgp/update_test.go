package bgp_test

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

func TestUpdatesKeepsTheNewest(t *testing.T) {
	const most, all = 4000, 9001
	begun := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var updates bgp.Updates
	for i := range all {
		updates.Add(bgp.Update{At: begun.Add(time.Duration(i))})
	}
	if updates.Len() != most {
		t.Errorf("%d are waiting", updates.Len())
	}
	taken := updates.Take()
	if len(taken) != most || !taken[0].At.Equal(begun.Add(all-most)) || !taken[most-1].At.Equal(begun.Add(all-1)) {
		t.Errorf("%d taken, from %s to %s", len(taken), taken[0].At, taken[len(taken)-1].At)
	}
	if updates.Len() != 0 || len(updates.Take()) != 0 {
		t.Error("the updates were returned twice")
	}
}
