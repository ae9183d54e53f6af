package mesh

import (
	"net"
	"time"

	"fairlead.dev/agents/internal/adaptive/policy"
)

const (
	// heldFor is how long a confirmed process of a peer is preferred to another one: hellos that
	// someone recorded earlier and sends again must not displace it.
	heldFor = policy.OldestFigures / 2

	// fastMost is how far clocks may differ between two datagrams: they are corrected by 0.05 % at most.
	fastMost = 10 * time.Millisecond
)

// link is the exchange with one peer. It decides, and doesn't read clocks.
type link struct {
	Peer
	at    net.Addr // that of the peer
	out   *signer
	in    [2]*signer // of the current and the previous key; nil: none
	since time.Duration

	sent    uint64        // datagrams
	sentAt  time.Duration // the last one
	heard   moment        // the newest time of the peer, which the next datagram returns
	heardAt time.Duration // when that arrived; zero: never

	process     uint64        // the incarnation of the peer whose figures are used
	confirmed   time.Duration // the newest time of ours that it returned
	confirmedAt time.Duration // when that arrived; zero: never
	window      window
	trips       trips

	counts   Counts
	last     Reason   // of a signed datagram
	forger   net.Addr // from where the last forged one came
	recorded recorded
	received []received // by service
	isNew    bool       // since Arrived returned the peer
}

// header returns the next one to the peer.
func (l *link) header(own uint64, incarnation uint64, now time.Duration) header {
	l.sent, l.sentAt = l.sent+1, now
	h := header{sender: own, incarnation: incarnation, number: l.sent, sent: now}
	if l.heardAt != 0 {
		h.heard, h.held = l.heard, max(0, now-l.heardAt)
	}
	return h
}

// take decides about a signed datagram. sent is the earliest time by our clock at which it can have
// been sent.
func (l *link) take(h *header, incarnation uint64, now time.Duration) (reason Reason, sent time.Duration) {
	reason, sent = l.judge(h, incarnation, now)
	used := reason == Accepted || reason == Reordered
	if used {
		l.confirmed, l.confirmedAt = max(l.confirmed, h.heard.at), now
		l.trips.add(now-sent, now)
	}
	l.hear(h, used, now)
	l.last = reason
	return reason, sent
}

func (l *link) judge(h *header, incarnation uint64, now time.Duration) (Reason, time.Duration) {
	if h.heard.incarnation != incarnation {
		return Hello, 0
	}
	sent := h.heard.at + h.held
	switch {
	case sent > now+fastMost:
		return TooFast, 0
	case now-sent > policy.OldestFigures:
		return Late, 0
	}
	if h.incarnation != l.process {
		// A new process has heard something newer than all that the former one returned.
		if h.heard.at <= l.confirmed {
			return Replayed, 0
		}
		l.process, l.window = h.incarnation, window{}
		for i := range l.received {
			l.received[i].number = 0
		}
	}
	return l.window.take(h.number), min(sent, now)
}

// hear keeps the time of the datagram, to return it.
func (l *link) hear(h *header, used bool, now time.Duration) {
	isSame := h.incarnation == l.heard.incarnation
	switch {
	case isSame && h.sent <= l.heard.at:
		return
	case !isSame && !used && l.isConfirmed(now, heldFor):
		return
	}
	l.heard, l.heardAt = moment{h.incarnation, h.sent}, now
}

// isHeard reports whether the peer sent something lately.
func (l *link) isHeard(now time.Duration) bool {
	return l.heardAt != 0 && now-l.heardAt <= policy.OldestFigures
}

// isConfirmed reports whether figures of the peer were used within a time.
func (l *link) isConfirmed(now, within time.Duration) bool {
	return l.confirmedAt != 0 && now-l.confirmedAt <= within
}
