package sockets

import "time"

const (
	// enteredEvery is how much time is between two reads, though costs are stored more often.
	enteredEvery = 40 * time.Millisecond

	// enteredMost is how many reads are kept. Figures that arrive in time are younger than the oldest.
	enteredMost = 8
)

// entered is how many connections from outside were open to each place whose servers see the client's address, when
// that was last read. Figures of these servers count them for no node.
type entered struct{ reads []enteredRead }

type enteredRead struct {
	time time.Time
	open []uint64 // by the slot of a place
}

// newest is when the last read was.
func (e *entered) newest() (at time.Time) {
	if last := len(e.reads) - 1; last >= 0 {
		at = e.reads[last].time
	}
	return at
}

// next returns memory for the next read: that of the oldest, which add forgets.
func (e *entered) next(count int) []uint64 {
	if len(e.reads) == enteredMost && cap(e.reads[0].open) >= count {
		return e.reads[0].open[:count]
	}
	return make([]uint64, count)
}

// add adds what was read, and forgets the oldest.
func (e *entered) add(read enteredRead) {
	if len(e.reads) == enteredMost {
		e.reads = append(e.reads[:0], e.reads[1:]...)
	}
	e.reads = append(e.reads, read)
}

// at returns how many were open at a time: those of the last read before that, or of the oldest one.
func (e *entered) at(slot uint32, at time.Time) uint64 {
	for i := len(e.reads) - 1; i >= 0; i-- {
		if read := &e.reads[i]; i == 0 || !read.time.After(at) {
			if int(slot) < len(read.open) {
				return read.open[slot]
			}
			return 0
		}
	}
	return 0
}
