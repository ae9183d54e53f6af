package hello

import (
	"encoding/binary"
	"errors"
)

const (
	recordHeader    = 5
	recordMost      = 1 << 14
	handshakeRecord = 22
	majorVersion    = 3 // of all TLS versions, and of SSL 3

	messageHeader = 4
	clientHello   = 1
)

// measure finds the end of the hello: size is its bytes in the stream, whole those of the
// message alone. With ErrIncomplete, size is the least that it can have, so a reader that
// waits for it never waits for bytes that the client doesn't have to send.
//
// Everything is checked in the order of the stream, which makes each error final.
func measure(stream []byte, most int) (size, whole int, err error) {
	var begun [messageHeader]byte // message header; it may be spread over records, too
	known := 0                    // of begun
	at, got := 0, 0               // position in the records, and bytes of the message so far
	least := messageHeader        // size of the message, or the least that it can have
	for {
		content, err := record(stream[at:])
		if errors.Is(err, ErrIncomplete) { // at least one record with the rest must come
			return at + recordHeader + least - got, 0, err
		}
		if err != nil {
			return 0, 0, err
		}
		at += recordHeader
		if at+content > most {
			return 0, 0, ErrTooLarge
		}
		if known < messageHeader {
			known += copy(begun[known:], stream[at:min(at+content, len(stream))])
			if known > 0 && begun[0] != clientHello {
				return 0, 0, ErrInvalid
			}
			if known == messageHeader {
				least = messageHeader + int(begun[1])<<16 + int(begun[2])<<8 + int(begun[3])
			}
		}
		at, got = at+content, got+content
		switch rest := least - got; {
		case known == messageHeader && rest < 0: // no data may follow a hello before its answer
			return 0, 0, ErrInvalid
		case rest > 0 && at+recordHeader+rest > most:
			return 0, 0, ErrTooLarge
		case at > len(stream):
			return at + more(rest), 0, ErrIncomplete
		case rest == 0 && known == messageHeader:
			return at, least, nil
		}
	}
}

// more is the least that this many bytes of a message need in the stream.
func more(rest int) int {
	if rest <= 0 {
		return 0
	}
	return recordHeader + rest
}

// record returns the size of the next record's content.
func record(stream []byte) (int, error) {
	if len(stream) > 0 && stream[0] != handshakeRecord || len(stream) > 1 && stream[1] != majorVersion {
		return 0, ErrInvalid
	}
	if len(stream) < recordHeader {
		return 0, ErrIncomplete
	}
	size := int(binary.BigEndian.Uint16(stream[3:]))
	if size == 0 || size > recordMost {
		return 0, ErrInvalid
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
