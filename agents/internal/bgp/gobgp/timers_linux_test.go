package gobgp_test

import (
	"testing"
	"time"

	"fairlead.dev/agents/internal/bgp"
)

// Negotiated timers and message counts are reported while a session is established.
func TestSessionsReportTimersAndMessages(t *testing.T) {
	n := newNetwork(t, 1, 1)
	n.up(t)
	session := sessionWith(t, n.speakers[0], n.reflectors[0].Host.IPv4)
	if session.Hold != 3*time.Second || session.KeepAlive != time.Second {
		t.Errorf("hold time %s, keepalive interval %s", session.Hold, session.KeepAlive)
	}
	if session.In == 0 || session.Out == 0 {
		t.Errorf("got %d and %d messages, want at least an OPEN and a KEEPALIVE each way", session.In, session.Out)
	}
	if (session.Detection == "") != (session.DetectionSettings == bgp.Detection{}) {
		t.Errorf("BFD is %q with %+v", session.Detection, session.DetectionSettings)
	}
}
