package message

import (
	"encoding/binary"
	"time"
)

const (
	// IDsMost is how many session ids one SessionIDs has at most.
	IDsMost = 32

	// IDBytes is the size of a TLS 1.2 session id.
	IDBytes = 32

	datagramMost = 1400 // bytes: fits into a packet also in a tunnel
	agedBytes    = IDBytes + 4
	newestBytes  = 8
)

// Lifetime is how long clients may use a session, unless its service has another lifetime.
const Lifetime = 24 * time.Hour

// AgedMost returns how many session ids of a backend one AgedIDs has at most.
func AgedMost(backend string) int {
	return (datagramMost - fixed - macBytes - newestBytes - min(len(backend), nameMost)) / agedBytes
}

func appendAged(out []byte, m Message) []byte {
	out = binary.BigEndian.AppendUint64(out, m.Newest)
	for i, id := range m.IDs[:min(len(m.IDs), AgedMost(m.Backend))] {
		out = append(out, id[:]...)
		out = binary.BigEndian.AppendUint32(out, uint32(min(max(m.Ages[i].Milliseconds(), 0), 1<<32-1)))
	}
	return out
}

// withIDs returns the message with the ids that are at its end.
func (m Message) withIDs(rest []byte) (Message, error) {
	each := IDBytes
	if m.Kind.hasAges() {
		if len(rest) < newestBytes {
			return Message{}, errMalformed
		}
		m.Newest, rest, each = binary.BigEndian.Uint64(rest), rest[newestBytes:], agedBytes
	}
	if len(rest)%each != 0 {
		return Message{}, errMalformed
	}
	for ; len(rest) > 0; rest = rest[each:] {
		m.IDs = append(m.IDs, [IDBytes]byte(rest))
		if m.Kind.hasAges() {
			m.Ages = append(m.Ages, time.Duration(binary.BigEndian.Uint32(rest[IDBytes:]))*time.Millisecond)
		}
	}
	return m, nil
}
