package sockets

// correction is what to add to counts of opened and closed connections.
type correction struct{ opened, closed uint64 }

// drift returns the correction that makes counts equal to the connections that exist. Connections that began or
// ended while those were listed may or may not be among them, so only what these don't explain is drift.
func drift(before, after use, exist uint64) correction {
	opened, closed := after.Opened-before.Opened, after.Closed-before.Closed
	open := openOf(before)
	if most := open + opened; exist > most {
		return correction{opened: exist - most}
	}
	if least := open - min(open, closed); exist < least {
		return correction{closed: least - exist}
	}
	return correction{}
}
