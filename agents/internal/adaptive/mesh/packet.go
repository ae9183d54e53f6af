package mesh

import (
	"bytes"
	"encoding/binary"
	"math"
	"time"
)

// A datagram, in network byte order: the magic, the header's fields, figures, and the MAC.
const (
	magic       = "fl-mesh1"
	headerBytes = len(magic) + 7*8
	macBytes    = 16

	// packetMost fits in the MTU of every usual tunnel: a lost fragment would lose the whole datagram.
	packetMost = 1200
)

// header precedes the figures.
type header struct {
	sender      uint64 // the number of the sender's node
	incarnation uint64 // random, of the sender's process
	number      uint64 // of this datagram: 1, 2, … to this receiver
	sent        time.Duration
	heard       moment        // the newest that the sender got from the receiver; zero: none
	held        time.Duration // since then
}

// moment is a time by the clock of a process.
type moment struct {
	incarnation uint64
	at          time.Duration
}

func (h *header) append(into []byte) []byte {
	into = append(into, magic...)
	for _, field := range [...]uint64{
		h.sender, h.incarnation, h.number, uint64(h.sent), h.heard.incarnation, uint64(h.heard.at), uint64(h.held),
	} {
		into = binary.BigEndian.AppendUint64(into, field)
	}
	return into
}

// parseHeader doesn't check the MAC.
func parseHeader(b []byte) (h header, valid bool) {
	if len(b) < headerBytes+macBytes || len(b) > packetMost || !bytes.HasPrefix(b, []byte(magic)) {
		return h, false
	}
	field := func(i int) uint64 { return binary.BigEndian.Uint64(b[len(magic)+8*i:]) }
	h = header{
		sender: field(0), incarnation: field(1), number: field(2), sent: time.Duration(field(3)),
		heard: moment{field(4), time.Duration(field(5))}, held: time.Duration(field(6)),
	}
	return h, isTime(h.sent) && isTime(h.heard.at) && isTime(h.held)
}

// isTime excludes times whose sums overflow.
func isTime(at time.Duration) bool { return at >= 0 && at < math.MaxInt64/2 }
