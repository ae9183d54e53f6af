package load

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
)

// idSize is the size of a session id that can be resumed. Servers issue ids of this size.
const idSize = 32

// idSession resumes by a session id of TLS 1.2. crypto/tls checks whether a server resumes by the id of its
// hello, but sends a random one. So this session takes the server's id from the plain part of the handshake, and
// the master secret from the key log. For the next handshake it returns the secret as the session, and the id
// where crypto/tls reads a random one.
type idSession struct {
	config *tls.Config
	id     []byte
	state  *tls.ClientSessionState // nil without a session to offer
}

func newIDSession(config *tls.Config) *idSession {
	config.MinVersion, config.MaxVersion = tls.VersionTLS12, tls.VersionTLS12
	return &idSession{config: config}
}

func (s *idSession) handshake(conn net.Conn) (net.Conn, shake, error) {
	result := shake{offered: s.state != nil}
	config, start, secret := s.config.Clone(), &startOf{Conn: conn}, &masterSecret{}
	if config.KeyLogWriter = secret; result.offered {
		config.ClientSessionCache, config.Rand = s, &idReader{id: s.id}
	} // else there is no cache, so no tickets are offered, and the server issues an id
	over := tls.Client(start, config)
	if err := over.Handshake(); err != nil {
		return nil, result, err
	}
	if result.offered && !bytes.Equal(idIn(start.sent), s.id) {
		return nil, result, fmt.Errorf("%s sends session ids in another way; use --tls 1.2-ticket", runtime.Version())
	}
	state := over.ConnectionState()
	if result.resumed = state.DidResume; result.resumed {
		return over, result, nil
	}
	return over, result, s.keep(idIn(start.received), state, *secret)
}

// keep stores the session that the server issued in a full handshake, if it did.
func (s *idSession) keep(id []byte, state tls.ConnectionState, secret masterSecret) error {
	s.id, s.state = nil, nil
	if len(id) != idSize {
		return nil
	}
	parsed, err := tls.ParseSessionState(encodeSession(state, secret))
	if err != nil {
		return fmt.Errorf("%s stores sessions in another way; use --tls 1.2-ticket: %w", runtime.Version(), err)
	}
	s.id = slices.Clone(id)
	s.state, err = tls.NewResumptionState(nil, parsed)
	return err
}

// Get returns the session.
func (s *idSession) Get(string) (*tls.ClientSessionState, bool) { return s.state, s.state != nil }

// Put ignores tickets, which some servers also issue. Without one, crypto/tls has found the session to be
// invalid.
func (s *idSession) Put(_ string, ticket *tls.ClientSessionState) {
	if ticket == nil {
		s.id, s.state = nil, nil
	}
}

// idReader returns random bytes, but the id where crypto/tls reads that of its hello: after the random of the hello.
type idReader struct {
	id    []byte
	reads int
}

func (r *idReader) Read(into []byte) (int, error) {
	if r.reads++; r.reads == 2 {
		return copy(into, r.id), nil
	}
	return rand.Read(into)
}

// masterSecret takes the secret from a line of the key log.
type masterSecret []byte

func (m *masterSecret) Write(line []byte) (int, error) {
	fields := bytes.Fields(line)
	if len(fields) != 3 || string(fields[0]) != "CLIENT_RANDOM" {
		return 0, errors.New("the key log has an unknown line")
	}
	secret, err := hex.DecodeString(string(fields[2]))
	*m = secret
	return len(line), err
}
