package message

import (
	"fmt"
	"maps"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/tcpdrops"
	"fairlead.dev/agents/internal/events"
)

// Event reasons for sessions that are never established or don't stay up, which an engine can't
// report.
const (
	SessionNotUp  = "BgpSessionNotUp"
	SessionFlaps  = "BgpSessionFlaps"
	WrongPassword = "BgpPasswordWrong"
	TooFar        = "BgpTtlTooLow"
)

// notUpAfter is longer than the reconnection to a peer after a short interruption.
const notUpAfter = 15 * time.Second

// More sessions than this in this time mean two hosts with the peer's address, or a failing link.
const (
	flapsMost   = 3
	flapsWithin = time.Minute
)

// repeatAfter limits how often an ongoing problem is reported.
const repeatAfter = 10 * time.Minute

// SessionMonitor reports peers whose session isn't established, and packets that the kernel drops
// before BGP. It belongs to the agent's loop.
type SessionMonitor struct {
	Dropped func() (tcpdrops.Counts, error) // the kernel's counters

	down     map[netip.Addr]downSince // peers that should have a session and don't
	ups      map[netip.Addr]ups       // of recently established sessions
	last     *tcpdrops.Counts
	reported map[string]time.Time
}

type downSince struct {
	since    time.Time
	reported bool
}

// ups is the number of establishments at a time.
type ups struct {
	at    time.Time
	count uint64
}

// Check runs periodically and reports problems.
func (d *SessionMonitor) Check(to *events.Events, sessions []bgp.Session, now time.Time) {
	d.checkFlaps(to, sessions, now)
	d.checkSessions(to, sessions, now)
	d.checkKernel(to, now)
}

func (d *SessionMonitor) checkFlaps(to *events.Events, sessions []bgp.Session, now time.Time) {
	maps.DeleteFunc(d.ups, func(_ netip.Addr, u ups) bool { return now.Sub(u.at) > flapsWithin })
	if d.ups == nil {
		d.ups = map[netip.Addr]ups{}
	}
	for _, session := range sessions {
		before, known := d.ups[session.Peer]
		if !known || session.EstablishedCount < before.count {
			d.ups[session.Peer] = ups{now, session.EstablishedCount}
			continue
		}
		if times := session.EstablishedCount - before.count; times > flapsMost {
			d.ups[session.Peer] = ups{now, session.EstablishedCount}
			d.record(to, now, SessionFlaps, session.Peer.String(), fmt.Sprintf(
				"The BGP session with %s of AS %d came up %d times within a minute: check for another host with its address, and for a failing link.",
				session.Peer, session.AS, times))
		}
	}
}

func (d *SessionMonitor) checkSessions(to *events.Events, sessions []bgp.Session, now time.Time) {
	waits := map[netip.Addr]downSince{}
	for _, session := range sessions {
		if session.State == bgp.Established || session.Dynamic {
			continue
		}
		w, waited := d.down[session.Peer]
		if !waited {
			w.since = now
		}
		if !w.reported && now.Sub(w.since) >= notUpAfter {
			w.reported = true
			to.Record(events.Event{Reason: SessionNotUp, Warning: true, Message: notUp(session, now.Sub(w.since))})
		}
		waits[session.Peer] = w
	}
	d.down = waits
}

func notUp(session bgp.Session, waited time.Duration) string {
	peer := fmt.Sprintf("There has been no BGP session with %s of AS %d for %s", session.Peer, session.AS, waited.Round(time.Second))
	switch {
	case session.OverLimit:
		return peer + ": it exceeded its route limit. The session restarts when the limit or the peer is changed."
	case session.LastError != "":
		return peer + ". Last error: " + session.LastError + "."
	}
	return peer + ": the peer has not answered. Check that it is up, that this host is configured on it, and that the password and GTSM are the same at both ends."
}

func (d *SessionMonitor) checkKernel(to *events.Events, now time.Time) {
	counts, err := d.Dropped()
	if err != nil {
		return // this kernel has no such counters
	}
	before := d.last
	d.last = &counts
	if before == nil {
		return // these were dropped before this process started
	}
	if n := counts.WrongPassword - before.WrongPassword; n > 0 {
		d.record(to, now, WrongPassword, "", fmt.Sprintf(
			"The kernel dropped %d packets with a wrong or missing TCP MD5 password. Both ends of a session need the same password.", n))
	}
	if n := counts.TooFar - before.TooFar; n > 0 {
		d.record(to, now, TooFar, "", fmt.Sprintf(
			"The kernel dropped %d packets whose TTL is too low for GTSM. Enable it at both ends of a session, or at neither.", n))
	}
}

// record skips what was reported recently.
func (d *SessionMonitor) record(to *events.Events, now time.Time, reason, of, message string) {
	maps.DeleteFunc(d.reported, func(_ string, at time.Time) bool { return now.Sub(at) >= repeatAfter })
	if _, lately := d.reported[reason+of]; lately {
		return
	}
	if d.reported == nil {
		d.reported = map[string]time.Time{}
	}
	d.reported[reason+of] = now
	to.Record(events.Event{Reason: reason, Warning: true, Message: message})
}
