package hello

import (
	"errors"
	"iter"
)

// Most is the limit of a new role: a hello of 16 KiB in one record. Post-quantum key
// shares make 2 KiB ordinary; tickets and long lists of protocols add to that.
const Most = recordHeader + recordMost

var (
	// ErrIncomplete means that more bytes are needed: at least Hello.Size in all.
	ErrIncomplete = errors.New("incomplete TLS hello")
	// ErrInvalid means that the bytes can't be the hello of a TLS client, whatever follows.
	ErrInvalid = errors.New("not a TLS hello")
	// ErrTooLarge means that the hello exceeds the limit, whatever follows.
	ErrTooLarge = errors.New("the TLS hello is too large")
)

const (
	randomBytes   = 32
	sessionIDMost = 32
)

// Hello is what a client requests. Its slices are parts of the parsed stream or, if the
// hello came in several records, of one copy.
type Hello struct {
	// Size is the number of bytes of the stream up to the end of the hello, including
	// records. With ErrIncomplete, the hello has at least this many.
	Size int
	// ServerName is as the client wrote it; empty if it sent none.
	ServerName []byte
	// SessionID names the session that a TLS 1.2 client resumes without a ticket. Clients
	// also send random ones: with a ticket, and in every hello for TLS 1.3.
	SessionID []byte
	// Ticket is that of a TLS 1.2 session to resume. It is empty if the client only
	// supports tickets, and nil if it doesn't.
	Ticket []byte
	// ListsVersions is set by every client that supports TLS 1.3, and by some that don't. Their
	// session ids may be random.
	ListsVersions bool

	// OffersTLS13 is whether the client lists that version.
	OffersTLS13 bool

	protocols  []byte // encoded, checked
	identities []byte // encoded, checked
}

// Parse returns the hello at the start of a stream. It doesn't change the stream, reads no
// more than most bytes of it, and allocates nothing unless a complete hello came in several
// records: then one copy. An error other than ErrIncomplete is final.
//
// What isn't needed to choose a backend isn't judged: the backend rejects it with the right
// alert.
func Parse(stream []byte, most int) (Hello, error) {
	size, whole, err := measure(stream, most)
	if err != nil {
		return Hello{Size: size}, err
	}
	h := Hello{Size: size}
	if !h.parse(cursor{join(stream[:size], whole)[messageHeader:]}) {
		return Hello{}, ErrInvalid
	}
	return h, nil
}

// Protocols are the names that the client offers by ALPN, the preferred one first.
func (h *Hello) Protocols() iter.Seq[[]byte] { return elements(h.protocols, 1, 0) }

// Identities are those of the pre-shared keys (PSK) that a TLS 1.3 client offers, the
// preferred one first. To resume a session, the identity is the server's ticket.
func (h *Hello) Identities() iter.Seq[[]byte] { return elements(h.identities, 2, ticketAgeBytes) }

// elements iterates over a checked list of vectors, each followed by bytes to skip.
func elements(list []byte, length, skip int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := (cursor{list}); len(rest.left) > 0; {
			element, _ := rest.vector(length)
			if _, _ = rest.take(skip); !yield(element.left) {
				return
			}
		}
	}
}

// parse reports whether the body is valid.
func (h *Hello) parse(body cursor) bool {
	if _, ok := body.take(2 + randomBytes); !ok { // the version comes first
		return false
	}
	session, ok := body.vector(1)
	if !ok || len(session.left) > sessionIDMost {
		return false
	}
	h.SessionID = session.left
	suites, ok := body.vector(2)
	if !ok || len(suites.left) == 0 || len(suites.left)%2 != 0 {
		return false
	}
	if compressions, ok := body.vector(1); !ok || len(compressions.left) == 0 {
		return false
	}
	if len(body.left) == 0 { // valid in versions before extensions
		return true
	}
	extensions, ok := body.vector(2)
	return ok && len(body.left) == 0 && h.parseExtensions(extensions)
}
