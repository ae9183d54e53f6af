package sockets

import (
	"errors"
	"testing"
	"time"
)

func TestASlotIsGivenOutAgainAfterItsQuarantine(t *testing.T) {
	now := time.Unix(1000, 0)
	s := newSlots(5, func(slot uint32) bool { return slot == 2 }, now)
	take := func(want uint32, at time.Time) {
		t.Helper()
		got, err := s.take(at)
		if want == 0 && !errors.Is(err, errNoSlot) || want != 0 && (err != nil || got != want) {
			t.Fatalf("slot %d (%v), want %d", got, err, want)
		}
	}
	take(3, now) // 1 is vacant, but may have been in use a moment ago
	take(4, now)
	take(0, now)
	take(1, now.Add(quarantine))
	s.free(3, now)
	take(0, now.Add(quarantine-1))
	take(3, now.Add(quarantine))
}
