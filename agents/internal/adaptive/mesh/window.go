package mesh

// window records which of the last datagrams arrived. A second has up to 80 to a receiver, at 100
// services, and twice as many if all are busy, so an older one has been replaced for long.
type window struct {
	newest uint64
	seen   uint64 // bit i: newest − i arrived
}

const windowMost = 64

// take records a number.
func (w *window) take(number uint64) Reason {
	if number > w.newest {
		w.seen <<= min(number-w.newest, windowMost)
		w.seen |= 1
		w.newest = number
		return Accepted
	}
	behind := w.newest - number
	switch {
	case behind >= windowMost:
		return Late
	case w.seen&(1<<behind) != 0:
		return Replayed
	}
	w.seen |= 1 << behind
	return Reordered
}
