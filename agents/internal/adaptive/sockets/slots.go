package sockets

import (
	"errors"
	"time"
)

// quarantine is how long a slot stays vacant: a program that read it just before runs for microseconds.
const quarantine = time.Second

var errNoSlot = errors.New("there is no room: use fewer services, nodes or backends")

// slots gives out indexes of an array in the kernel, from 1 on.
type slots struct {
	next, end uint32
	vacant    []vacancy // the oldest first
}

type vacancy struct {
	slot  uint32
	since time.Time
}

// take returns the slot that has been vacant for longest.
func (s *slots) take(now time.Time) (uint32, error) {
	if len(s.vacant) > 0 && now.Sub(s.vacant[0].since) >= quarantine {
		slot := s.vacant[0].slot
		s.vacant = s.vacant[1:]
		return slot, nil
	}
	if s.next == s.end {
		return 0, errNoSlot
	}
	s.next++
	return s.next - 1, nil
}

func (s *slots) free(slot uint32, now time.Time) { s.vacant = append(s.vacant, vacancy{slot, now}) }

// newSlots returns the slots of an array of which some are in use.
func newSlots(size uint32, isUsed func(uint32) bool, now time.Time) slots {
	s := slots{next: 1, end: size}
	for slot := uint32(1); slot < size; slot++ {
		if isUsed(slot) {
			for ; s.next < slot; s.next++ {
				s.free(s.next, now)
			}
			s.next = slot + 1
		}
	}
	return s
}
