package proxied

import "encoding/binary"

const (
	idBytes = 32

	handshake   = 22
	serverHello = 2

	recordHeader  = 5
	messageHeader = 4
	idAt          = recordHeader + messageHeader + 2 + 32 // after the version and the random bytes
	afterID       = 2 + 1                                 // the cipher suite and the compression

	ticketExtension   = 35
	versionsExtension = 43
)

// idOf returns the id of the session that a reply begins, if its client can resume it by its id
// alone: not one of TLS 1.3, and none with a ticket.
func idOf(reply []byte) (given id, ok bool) {
	const end = idAt + 1 + idBytes + afterID
	if len(reply) < end || reply[0] != handshake || reply[recordHeader] != serverHello || reply[idAt] != idBytes {
		return given, false
	}
	size := recordHeader + messageHeader + int(reply[recordHeader+1])<<16 + int(binary.BigEndian.Uint16(reply[recordHeader+2:]))
	if size < end || size > len(reply) {
		return given, false
	}
	for rest := reply[min(end+2, size):size]; len(rest) >= 4; {
		switch binary.BigEndian.Uint16(rest) {
		case ticketExtension, versionsExtension:
			return given, false
		}
		rest = rest[min(4+int(binary.BigEndian.Uint16(rest[2:])), len(rest)):]
	}
	return id(reply[idAt+1 : idAt+1+idBytes]), true
}
