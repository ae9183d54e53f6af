package clienthello

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Most is the maximum size of a hello on the wire, including records. Post-quantum key
// shares make 2 KiB ordinary; tickets and certificate authorities can add many times
// that.
const Most = 64 << 10

var (
	// ErrShort means that more bytes are needed.
	ErrShort = errors.New("incomplete TLS hello")
	// ErrNone means that the stream can't be from a TLS client.
	ErrNone = errors.New("not a TLS hello")
)

const (
	recordHeader    = 5
	recordMost      = 1 << 14
	handshakeRecord = 22
	majorVersion    = 3 // of all TLS versions, and of SSL 3

	messageHeader = 4
	clientHello   = 1

	randomBytes       = 32
	sessionIDMost     = 32
	serverNameMessage = 0 // the extension
	hostName          = 0 // the only kind of name
)

// ServerName returns the server name that a client requests, unnormalized, or an empty
// one if the client sends none. The name is a part of stream, unless the hello came in
// several records.
func ServerName(stream []byte) ([]byte, error) {
	body, err := message(stream)
	if err != nil {
		return nil, err
	}
	rest := cursor{body}
	extensions, ok := skipToExtensions(&rest)
	if !ok || len(rest.left) != 0 {
		return nil, ErrNone
	}
	return serverName(extensions)
}

// message returns the body of the hello once it is complete.
func message(stream []byte) ([]byte, error) {
	var begun [messageHeader]byte // message header; it may be spread over records, too
	known := 0                    // of begun
	whole, at, got := 0, 0, 0     // size of the message, position in the records, and bytes of the message so far
	for {
		size, err := record(stream[at:])
		if err != nil {
			return nil, err
		}
		at += recordHeader
		if whole == 0 {
			known += copy(begun[known:], stream[at:min(at+size, len(stream))])
			if known > 0 && begun[0] != clientHello {
				return nil, ErrNone
			}
			if known == messageHeader {
				whole = messageHeader + int(begun[1])<<16 + int(begun[2])<<8 + int(begun[3])
			}
		}
		at, got = at+size, got+size
		switch {
		case whole > Most || at > Most:
			return nil, ErrNone
		case whole > 0 && got > whole: // no data may follow a hello before its answer
			return nil, ErrNone
		case at > len(stream):
			return nil, ErrShort
		case got == whole:
			return join(stream[:at], whole)[messageHeader:], nil
		}
	}
}

// record returns the size of the next record's content.
func record(stream []byte) (int, error) {
	if len(stream) > 0 && stream[0] != handshakeRecord || len(stream) > 1 && stream[1] != majorVersion {
		return 0, ErrNone
	}
	if len(stream) < recordHeader {
		return 0, ErrShort
	}
	size := int(binary.BigEndian.Uint16(stream[3:]))
	if size == 0 || size > recordMost {
		return 0, ErrNone
	}
	return size, nil
}

// join concatenates the content of records without copying a single one.
func join(records []byte, whole int) []byte {
	if len(records) == recordHeader+whole {
		return records[recordHeader:]
	}
	joined := make([]byte, 0, whole)
	for len(records) > 0 {
		size := int(binary.BigEndian.Uint16(records[3:]))
		joined = append(joined, records[recordHeader:recordHeader+size]...)
		records = records[recordHeader+size:]
	}
	return joined
}

// skipToExtensions skips the fields before the extensions.
func skipToExtensions(hello *cursor) (extensions cursor, ok bool) {
	if _, ok = hello.take(2 + randomBytes); !ok { // the version comes first
		return extensions, false
	}
	session, ok := hello.vector(1)
	if !ok || len(session.left) > sessionIDMost {
		return extensions, false
	}
	suites, ok := hello.vector(2)
	if !ok || len(suites.left) == 0 || len(suites.left)%2 != 0 {
		return extensions, false
	}
	if compressions, ok := hello.vector(1); !ok || len(compressions.left) == 0 {
		return extensions, false
	}
	if len(hello.left) == 0 { // valid in versions before extensions
		return extensions, true
	}
	return hello.vector(2)
}

// serverName checks all extensions, because a duplicate makes the hello invalid.
func serverName(extensions cursor) (name []byte, err error) {
	found := false
	for len(extensions.left) > 0 {
		kind, ok := extensions.number(2)
		content, more := extensions.vector(2)
		if !ok || !more {
			return nil, ErrNone
		}
		if kind != serverNameMessage {
			continue
		}
		if found {
			return nil, ErrNone
		}
		found = true
		if name, ok = firstName(content); !ok {
			return nil, ErrNone
		}
	}
	return name, nil
}

// firstName requires exactly one name: a list has one name of each kind, and there is one
// kind.
func firstName(content cursor) ([]byte, bool) {
	list, ok := content.vector(2)
	if !ok || len(content.left) != 0 {
		return nil, false
	}
	kind, ok := list.number(1)
	if !ok || kind != hostName {
		return nil, false
	}
	name, ok := list.vector(2)
	if !ok || len(list.left) != 0 || len(name.left) == 0 || bytes.IndexByte(name.left, 0) >= 0 {
		return nil, false
	}
	return name.left, true
}

// cursor reads from the front.
type cursor struct{ left []byte }

func (c *cursor) take(bytes int) ([]byte, bool) {
	if len(c.left) < bytes {
		return nil, false
	}
	taken := c.left[:bytes]
	c.left = c.left[bytes:]
	return taken, true
}

// number reads a big-endian number of this size.
func (c *cursor) number(bytes int) (number int, ok bool) {
	taken, ok := c.take(bytes)
	for _, each := range taken {
		number = number<<8 | int(each)
	}
	return number, ok
}

// vector reads a length of this size, and the content of that length.
func (c *cursor) vector(bytes int) (cursor, bool) {
	length, ok := c.number(bytes)
	if !ok {
		return cursor{}, false
	}
	taken, ok := c.take(length)
	return cursor{taken}, ok
}
