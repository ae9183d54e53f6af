package echo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"time"
)

// A datagram, in network byte order: the magic, its kind in one byte and seven of zero, the number of
// the request, nanoseconds between the request's arrival and its reply, and the digest of the ID of
// the agent that should reply.
const (
	magic        = "fl-echo1"
	kindAt       = len(magic)
	numberAt     = kindAt + 8
	residenceAt  = numberAt + 8
	toAt         = residenceAt + 8
	packetLength = toAt + sha256.Size
)

type kind byte

const (
	request kind = 1
	reply   kind = 2
)

// packet is a datagram. to excludes another host that has the same address in another network.
type packet struct {
	kind      kind
	number    uint64
	residence time.Duration // of a reply
	to        [sha256.Size]byte
}

func (p *packet) append(into []byte) []byte {
	into = append(into, magic...)
	into = append(into, byte(p.kind), 0, 0, 0, 0, 0, 0, 0)
	into = binary.BigEndian.AppendUint64(into, p.number)
	into = binary.BigEndian.AppendUint64(into, uint64(p.residence))
	return append(into, p.to[:]...)
}

func parsePacket(b []byte) (p packet, valid bool) {
	if len(b) != packetLength || !bytes.HasPrefix(b, []byte(magic)) {
		return p, false
	}
	p.kind = kind(b[kindAt])
	p.number = binary.BigEndian.Uint64(b[numberAt:])
	p.residence = time.Duration(binary.BigEndian.Uint64(b[residenceAt:]))
	copy(p.to[:], b[toAt:])
	return p, p.kind == request || p.kind == reply
}
