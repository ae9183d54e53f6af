package sockets

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/adaptive/program"
)

// entryUses returns how each place was used by connections from outside.
func (e *Engine) entryUses() ([]program.EntryUse, error) {
	uses, err := first[program.EntryUse](e.maps[program.SocketsMapEntryUses], e.places.next)
	if err != nil {
		return nil, fmt.Errorf("read the counts of connections from outside: %w", err)
	}
	return uses, nil
}

func enteredOf(u program.EntryUse) Counts {
	return Counts{Open: u.Opened - min(u.Opened, u.Closed), Chosen: u.Opened}
}

// readEntered reads how many connections from outside are open now.
func (e *Engine) readEntered(now time.Time) error {
	uses, err := e.entryUses()
	if err != nil {
		return err
	}
	read := enteredRead{time: now, open: make([]uint64, len(uses))}
	for slot, use := range uses {
		read.open[slot] = use.DirectOpened - min(use.DirectOpened, use.DirectClosed)
	}
	e.entered.add(read)
	return nil
}
