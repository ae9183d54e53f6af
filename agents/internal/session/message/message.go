package message

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"net/netip"
	"time"
)

// Kind is what a message is about.
type Kind uint8

const (
	Find       Kind = 1  // a replica requests the backend of a connection
	Has        Kind = 2  // the answer: the connection exists there
	HasNot     Kind = 3  // the answer, or that a packet came without its connection
	RequestIDs Kind = 4  // a replica requests the session ids after a number
	SessionIDs Kind = 5  // session ids, and the number of the last one
	Had        Kind = 6  // the answer: the connection ended there (TIME_WAIT)
	AgedIDs    Kind = 7  // an answer to RequestIDs with Until: session ids and their ages
	FindID     Kind = 8  // a replica requests the backend of a session id. Companions of earlier versions don't answer
	HasID      Kind = 9  // the answer: the server began that session, and at what age
	HasNotID   Kind = 10 // the answer: until it got the request, the server hadn't sent that id
)

// Message is one datagram.
type Message struct {
	Kind    Kind
	Backend string          // of all but Find, FindID and RequestIDs
	Service netip.AddrPort  // TCP
	Client  netip.AddrPort  // of Find, Has, HasNot and Had; of RequestIDs with Until: the replica itself
	Last    uint64          // of RequestIDs, SessionIDs and AgedIDs; a companion numbers its ids
	Until   uint64          // of RequestIDs: the last number that is requested. 0: what one SessionIDs has room for
	Before  uint64          // of SessionIDs and AgedIDs: the number before the oldest id that the companion has
	Newest  uint64          // of AgedIDs: the last number that the companion has
	IDs     [][IDBytes]byte // of FindID, HasID and HasNotID: the one that is searched
	Ages    []time.Duration // of AgedIDs and HasID: since the companion learnt each id
}

func (k Kind) hasAges() bool { return k == AgedIDs || k == HasID }

const (
	macBytes  = 16
	fixed     = 1 + 8 + 18 + 18 + 8 + 8 + 1
	serviceAt = 9
	nameMost  = 255
	validSpan = 90 * time.Second // clocks differ
)

// ErrUnsigned means that the sender has another key.
var ErrUnsigned = errors.New("not signed by a replica or companion of this exposure")

var errMalformed = errors.New("malformed message")

// Seal encodes and signs a message.
func Seal(key [32]byte, now time.Time, m Message) []byte {
	out := binary.BigEndian.AppendUint64([]byte{byte(m.Kind)}, uint64(now.UnixMilli()))
	out = appendAddress(appendAddress(out, m.Service), m.Client)
	second := m.Before
	if m.Kind == RequestIDs {
		second = m.Until // where earlier versions have a zero
	}
	out = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(out, m.Last), second)
	name := m.Backend[:min(len(m.Backend), nameMost)]
	out = append(append(out, byte(len(name))), name...)
	if m.Kind.hasAges() {
		out = appendAged(out, m)
	} else {
		for _, id := range m.IDs[:min(len(m.IDs), IDsMost)] {
			out = append(out, id[:]...)
		}
	}
	return append(out, mac(key, out)...)
}

// ServiceOf returns the service that a datagram claims to be about, to find its key.
func ServiceOf(datagram []byte) (netip.AddrPort, bool) {
	if len(datagram) < fixed+macBytes {
		return netip.AddrPort{}, false
	}
	return addressAt(datagram[serviceAt:]), true
}

// OpenAny opens a message of one of the keys.
func OpenAny(keys [2][32]byte, now time.Time, datagram []byte) (m Message, err error) {
	for _, key := range keys {
		if m, err = Open(key, now, datagram); !errors.Is(err, ErrUnsigned) {
			break
		}
	}
	return m, err
}

// Open checks and decodes a message.
func Open(key [32]byte, now time.Time, datagram []byte) (m Message, err error) {
	if len(datagram) < fixed+macBytes {
		return m, errMalformed
	}
	body, sum := datagram[:len(datagram)-macBytes], datagram[len(datagram)-macBytes:]
	if !hmac.Equal(sum, mac(key, body)) {
		return m, ErrUnsigned
	}
	sent := time.UnixMilli(int64(binary.BigEndian.Uint64(body[1:])))
	if age := now.Sub(sent).Abs(); age > validSpan {
		return m, errors.New("the message is too old, or the clocks of two hosts differ by more than 90 seconds")
	}
	m.Kind, m.Service, m.Client = Kind(body[0]), addressAt(body[serviceAt:]), addressAt(body[27:])
	m.Last = binary.BigEndian.Uint64(body[45:])
	if second := binary.BigEndian.Uint64(body[53:]); m.Kind == RequestIDs {
		m.Until = second
	} else {
		m.Before = second
	}
	size, rest := int(body[fixed-1]), body[fixed:]
	if len(rest) < size {
		return Message{}, errMalformed
	}
	m.Backend = string(rest[:size])
	return m.withIDs(rest[size:])
}

func mac(key [32]byte, body []byte) []byte {
	sum := hmac.New(sha256.New, key[:])
	_, _ = sum.Write(body)
	return sum.Sum(nil)[:macBytes]
}

func appendAddress(out []byte, address netip.AddrPort) []byte {
	var bytes [16]byte
	if address.IsValid() {
		bytes = address.Addr().As16()
	}
	return binary.BigEndian.AppendUint16(append(out, bytes[:]...), address.Port())
}

func addressAt(bytes []byte) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16([16]byte(bytes)).Unmap(), binary.BigEndian.Uint16(bytes[16:]))
}
