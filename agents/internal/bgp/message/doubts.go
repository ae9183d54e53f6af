package message

import (
	"fmt"
	"maps"
	"net/netip"
	"time"

	"fairlead.dev/agents/internal/bgp"
	"fairlead.dev/agents/internal/bgp/unheard"
	"fairlead.dev/agents/internal/events"
)

// The words for what never becomes a session, or never stays one, of which an engine has no more to tell.
const (
	SessionNotUp  = "BgpSessionNotUp"
	SessionFlaps  = "BgpSessionFlaps"
	WrongPassword = "BgpPasswordWrong"
	TooFar        = "BgpTtlTooLow"
)

// doubtAfter is longer than it takes to call a peer again that was away for a moment.
const doubtAfter = 15 * time.Second

// A session that comes up so often in so short a time has two hosts at its other end, or a link that fails.
const (
	flapsMost   = 3
	flapsWithin = time.Minute
)

// sayAgainAfter bounds how often what goes on and on is said.
const sayAgainAfter = 10 * time.Minute

// Doubts tell of peers that don't come up, and of what the kernel drops before BGP hears
// it. They belong to the agent's loop.
type Doubts struct {
	Dropped func() (unheard.Counts, error) // as the kernel counts them

	waits map[netip.Addr]wait // peers that we should have a session with, and don't
	ups   map[netip.Addr]ups  // of sessions that came up lately
	last  *unheard.Counts
	said  map[string]time.Time
}

type wait struct {
	since time.Time
	said  bool
}

// ups is how often a session had come up by then.
type ups struct {
	at    time.Time
	count uint64
}

// Look is asked now and then.
func (d *Doubts) Look(to *events.Events, sessions []bgp.Session, now time.Time) {
	d.lookForFlaps(to, sessions, now)
	d.lookAtSessions(to, sessions, now)
	d.lookAtKernel(to, now)
}

func (d *Doubts) lookForFlaps(to *events.Events, sessions []bgp.Session, now time.Time) {
	maps.DeleteFunc(d.ups, func(_ netip.Addr, u ups) bool { return now.Sub(u.at) > flapsWithin })
	if d.ups == nil {
		d.ups = map[netip.Addr]ups{}
	}
	for _, session := range sessions {
		before, known := d.ups[session.Peer]
		if !known || session.Ups < before.count {
			d.ups[session.Peer] = ups{now, session.Ups}
			continue
		}
		if times := session.Ups - before.count; times > flapsMost {
			d.ups[session.Peer] = ups{now, session.Ups}
			d.say(to, now, SessionFlaps, session.Peer.String(), fmt.Sprintf(
				"The BGP session with %s of AS %d came up %d times within a minute: does another host have its address, or does the link to it fail?",
				session.Peer, session.AS, times))
		}
	}
}

func (d *Doubts) lookAtSessions(to *events.Events, sessions []bgp.Session, now time.Time) {
	waits := map[netip.Addr]wait{}
	for _, session := range sessions {
		if session.State == bgp.Established || session.Called {
			continue
		}
		w, waited := d.waits[session.Peer]
		if !waited {
			w.since = now
		}
		if !w.said && now.Sub(w.since) >= doubtAfter {
			w.said = true
			to.Say(events.Event{Reason: SessionNotUp, Warning: true, Message: notUp(session, now.Sub(w.since))})
		}
		waits[session.Peer] = w
	}
	d.waits = waits
}

func notUp(session bgp.Session, waited time.Duration) string {
	peer := fmt.Sprintf("There has been no BGP session with %s of AS %d for %s", session.Peer, session.AS, waited.Round(time.Second))
	switch {
	case session.Full:
		return peer + ": it offered more routes than it may. It is called again once that limit or the peer is set anew."
	case session.LastError != "":
		return peer + ", since " + session.LastError + "."
	}
	return peer + ": nothing is heard of it. Is it there, does it know this host, and are the password and the TTL guard the same at both ends?"
}

func (d *Doubts) lookAtKernel(to *events.Events, now time.Time) {
	counts, err := d.Dropped()
	if err != nil {
		return // a kernel that doesn't count
	}
	before := d.last
	d.last = &counts
	if before == nil {
		return // of before this process
	}
	if n := counts.WrongPassword - before.WrongPassword; n > 0 {
		d.say(to, now, WrongPassword, "", fmt.Sprintf(
			"Somebody who calls by TCP MD5 has another password, or none: the kernel dropped %d packets. Both ends of a session need the same one.", n))
	}
	if n := counts.TooFar - before.TooFar; n > 0 {
		d.say(to, now, TooFar, "", fmt.Sprintf(
			"Somebody who calls is further away than the TTL guard allows, or doesn't use it: the kernel dropped %d packets. Set it at both ends, or at none.", n))
	}
}

// say holds back what was said of the same not long ago.
func (d *Doubts) say(to *events.Events, now time.Time, reason, of, message string) {
	maps.DeleteFunc(d.said, func(_ string, at time.Time) bool { return now.Sub(at) >= sayAgainAfter })
	if _, lately := d.said[reason+of]; lately {
		return
	}
	if d.said == nil {
		d.said = map[string]time.Time{}
	}
	d.said[reason+of] = now
	to.Say(events.Event{Reason: reason, Warning: true, Message: message})
}
