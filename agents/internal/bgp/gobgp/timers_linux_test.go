package gobgp_test

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

// What two ends agreed on, and what they said to each other, is told while they talk.
func TestASessionTellsItsTimersAndMessages(t *testing.T) {
	n := newNetwork(t, 1, 1)
	n.up(t)
	session := sessionWith(t, n.speakers[0], n.reflectors[0].Host.IPv4)
	if session.Hold != 3*time.Second || session.KeepAlive != time.Second {
		t.Errorf("holds for %s and keeps alive every %s", session.Hold, session.KeepAlive)
	}
	if session.In == 0 || session.Out == 0 {
		t.Errorf("an open and a first keepalive at least came and went, not %d and %d messages", session.In, session.Out)
	}
	if (session.Detection == "") != (session.Detects == bgp.Detection{}) {
		t.Errorf("BFD is %q and set to %+v", session.Detection, session.Detects)
	}
}
