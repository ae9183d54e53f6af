package load

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"net"
	"time"
)

// Where the session id is in the first record of both sides: after the heads of the record and of the message,
// the version and the random.
const (
	idLengthAt = 5 + 4 + 2 + 32
	idAt       = idLengthAt + 1
	helloType  = 22 // of a record with a handshake message
)

// startOf keeps the first bytes of both directions, which are not encrypted.
type startOf struct {
	net.Conn
	sent, received []byte
}

func (s *startOf) Write(text []byte) (int, error) {
	s.sent = appendStart(s.sent, text)
	return s.Conn.Write(text)
}

func (s *startOf) Read(into []byte) (int, error) {
	n, err := s.Conn.Read(into)
	s.received = appendStart(s.received, into[:n])
	return n, err
}

func appendStart(start, text []byte) []byte {
	return append(start, text[:min(len(text), idAt+idSize-len(start))]...)
}

// idIn returns the session id of a hello; empty if it has none.
func idIn(start []byte) []byte {
	if len(start) < idAt || start[0] != helloType {
		return nil
	}
	length := int(start[idLengthAt])
	if len(start) < idAt+length {
		return nil
	}
	return start[idAt : idAt+length]
}

// encodeSession encodes a client's session of TLS 1.2 as tls.SessionState does.
func encodeSession(state tls.ConnectionState, secret masterSecret) []byte {
	const client, noExtra, noEarlyData, unknownCurve = 2, 0, 0, 0
	text := binary.BigEndian.AppendUint16(nil, state.Version)
	text = append(text, client)
	text = binary.BigEndian.AppendUint16(text, state.CipherSuite)
	text = binary.BigEndian.AppendUint64(text, uint64(time.Now().Unix()))
	text = append(append(text, byte(len(secret))), secret...)
	text = appendUint24(text, noExtra)
	text = append(text, extendedSecret(state), noEarlyData)
	var certificates, chains []byte
	for _, each := range state.PeerCertificates {
		certificates = append(appendPrefixed(certificates, each.Raw), 0, 0) // without extensions
	}
	for _, chain := range state.VerifiedChains {
		chains = appendPrefixed(chains, withoutLeaf(chain))
	}
	text = appendPrefixed(appendPrefixed(text, certificates), chains)
	return binary.BigEndian.AppendUint16(text, unknownCurve)
}

func withoutLeaf(chain []*x509.Certificate) (text []byte) {
	for _, each := range chain[1:] {
		text = appendPrefixed(text, each.Raw)
	}
	return text
}

// extendedSecret is 1 if the master secret is extended. Only then, keys can be exported.
func extendedSecret(state tls.ConnectionState) byte {
	if _, err := state.ExportKeyingMaterial("EXPERIMENTAL fairlead", nil, 1); err != nil {
		return 0
	}
	return 1
}

func appendPrefixed(text, value []byte) []byte {
	return append(appendUint24(text, len(value)), value...)
}

func appendUint24(text []byte, value int) []byte {
	return append(text, byte(value>>16), byte(value>>8), byte(value))
}
