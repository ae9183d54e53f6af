package sockets

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/adaptive/program"
)

// enteredAt returns how a place was used by connections from outside.
func (e *Engine) enteredAt(slot uint32) (Counts, error) {
	var u program.EntryUse
	if err := e.entryUses.read(slot, &u); err != nil {
		return Counts{}, fmt.Errorf("read the counts of connections from outside: %w", err)
	}
	return Counts{Open: u.Opened - min(u.Opened, u.Closed), Chosen: u.Opened}, nil
}

// readEntered reads how many connections from outside are open now, unless that was done a moment ago.
func (e *Engine) readEntered(now time.Time) error {
	if now.Sub(e.entered.newest()) < enteredEvery {
		return nil
	}
	open := e.entered.next(int(e.places.next))
	for slot := range open {
		var u program.EntryUse
		if err := e.entryUses.read(uint32(slot), &u); err != nil {
			return fmt.Errorf("read the counts of connections from outside: %w", err)
		}
		open[slot] = u.DirectOpened - min(u.DirectOpened, u.DirectClosed)
	}
	e.entered.add(enteredRead{now, open})
	return nil
}
