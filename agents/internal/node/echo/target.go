package echo

import (
	"crypto/sha256"
	"math/rand/v2"
	"time"
)

const (
	// silentAfter is how many requests without a reply are sent each second. Later, one of as many is: the
	// node may be down, or its agent may report the address of another host.
	silentAfter = 10

	// repliesMost is how many replies an address gets in a second, instead of one. Its requests may be forged.
	repliesMost = 10
)

// target is a peer with what was measured.
type target struct {
	Peer
	to         [sha256.Size]byte
	number     uint64    // of the last request; replies to earlier ones are late
	sent       time.Time // zero once it is answered
	unanswered int       // seconds
	measured   measured
}

// request returns the next one, unless the peer is silent.
func (t *target) request() (out packet, due bool) {
	if !t.sent.IsZero() {
		t.unanswered++
	}
	if t.unanswered >= silentAfter && t.unanswered%silentAfter != 0 {
		return packet{}, false
	}
	t.number = rand.Uint64() // so that only its receiver can reply
	t.sent = time.Now()
	return packet{kind: request, number: t.number, to: t.to}, true
}

// takes reports whether a reply is the one to the last request.
func (t *target) takes(got *packet) bool {
	return !t.sent.IsZero() && got.number == t.number && got.to == t.to
}

func (t *target) record(got *packet, received, arrived time.Time) {
	if took, possible := roundTrip(t.sent, received, arrived, got.residence); possible {
		t.measured.add(took, received)
	}
	t.sent, t.unanswered = time.Time{}, 0
}

// source is an address with its peers. It has several while a host has the address of a former one, or
// an agent reports that of another: each is measured.
type source struct {
	targets []*target
	replies int // since
	since   time.Time
}

// allows reports whether it gets another reply, and counts it.
func (s *source) allows(now time.Time) bool {
	if now.Sub(s.since) >= every {
		s.since, s.replies = now, 0
	}
	s.replies++
	return s.replies <= repliesMost
}
