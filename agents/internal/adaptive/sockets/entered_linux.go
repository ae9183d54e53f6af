package sockets

import (
	"fmt"
	"time"

	"fairlead.dev/agents/internal/adaptive/program"
)

// readEntered reads how many connections from outside are open now.
func (e *Engine) readEntered(now time.Time) error {
	uses, err := first[program.EntryUse](e.maps[program.SocketsMapEntryUses], e.places.next)
	if err != nil {
		return fmt.Errorf("read the counts of connections from outside: %w", err)
	}
	read := enteredRead{time: now, open: make([]uint64, len(uses))}
	for slot, use := range uses {
		read.open[slot] = use.DirectOpened - min(use.DirectOpened, use.DirectClosed)
	}
	e.entered.add(read)
	return nil
}
