package names

import "encoding/hex"

// Bytes is the size of the name of a ticket key.
const Bytes = 16

// Name is what the tickets of one key begin with. It is public: clients send it in the clear.
type Name [Bytes]byte

// String returns the name in hexadecimal.
func (n Name) String() string { return hex.EncodeToString(n[:]) }

// Of returns the name that a ticket begins with, if it is long enough.
func Of(ticket []byte) (name Name, ok bool) {
	return name, copy(name[:], ticket) == Bytes
}
