package sockets

import "time"

// enteredMost is how many reads are kept. At twenty a second, figures that arrive in time are younger than the oldest.
const enteredMost = 8

// entered is how many connections from outside were open to each place whose servers see the client's address, when
// that was last read. Figures of these servers count them for no node.
type entered struct{ reads []enteredRead }

type enteredRead struct {
	time time.Time
	open []uint64 // by the slot of a place
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
