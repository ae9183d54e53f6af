package echo

import "time"

const (
	// windowMost is how many round trips the shortest is selected from, one a second: queues and
	// interrupts make single ones longer, but none shorter.
	windowMost = 10
	window     = windowMost * every
)

// roundTrip is the time on the network. It is false if a clock was set meanwhile, or the peer states
// an impossible residence. sent and received are by this process, arrived is by the kernel, or zero.
func roundTrip(sent, received, arrived time.Time, residence time.Duration) (time.Duration, bool) {
	elapsed := received.Sub(sent)
	if !arrived.IsZero() {
		// The kernel uses the wall clock, which may be set in between.
		if byKernel := arrived.Sub(sent.Round(0)); byKernel > 0 && byKernel < elapsed {
			elapsed = byKernel
		}
	}
	if residence < 0 || residence >= elapsed {
		return 0, false
	}
	return elapsed - residence, true
}

// measured are the last round trips to a peer.
type measured struct {
	times [windowMost]time.Duration
	at    [windowMost]time.Time
	next  int
}

func (m *measured) add(took time.Duration, at time.Time) {
	m.times[m.next], m.at[m.next] = took, at
	m.next = (m.next + 1) % windowMost
}

// least is the shortest within the window, or zero if all replies are missing.
func (m *measured) least(now time.Time) (least time.Duration) {
	for i, took := range m.times {
		if took > 0 && now.Sub(m.at[i]) < window && (least == 0 || took < least) {
			least = took
		}
	}
	return least
}
