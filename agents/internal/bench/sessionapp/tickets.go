package sessionapp

import (
	"crypto/tls"
	"fmt"
	"os"
	"slices"

	"fairlead.dev/agents/internal/session/names"
)

const secretBytes = 32

// ticketKey is the name and the secret of one.
type ticketKey struct {
	name    names.Name
	sealing *tls.Config
}

// Secure returns a TLS config with a certificate and with the ticket keys of a file, the own one first. Tickets begin with
// the name of their key, by which a balancer chooses.
func Secure(certificate, tickets string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(certificate, certificate)
	if err != nil {
		return nil, err
	}
	content, err := os.ReadFile(tickets)
	if err != nil {
		return nil, err
	}
	const size = names.Bytes + secretBytes
	if len(content) == 0 || len(content)%size > 0 {
		return nil, fmt.Errorf("%s has %d bytes; it needs %d for each ticket key", tickets, len(content), size)
	}
	var keys []ticketKey
	for key := range slices.Chunk(content, size) {
		one := ticketKey{names.Name(key[:names.Bytes]), &tls.Config{}}
		one.sealing.SetSessionTicketKeys([][secretBytes]byte{[secretBytes]byte(key[names.Bytes:])})
		keys = append(keys, one)
	}
	return &tls.Config{
		Certificates: []tls.Certificate{pair},
		WrapSession: func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			ticket, err := keys[0].sealing.EncryptTicket(state, session)
			return slices.Concat(keys[0].name[:], ticket), err
		},
		UnwrapSession: func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
			name, ok := names.Of(ticket)
			at := slices.IndexFunc(keys, func(key ticketKey) bool { return key.name == name })
			if !ok || at < 0 {
				return nil, nil // a full handshake
			}
			return keys[at].sealing.DecryptTicket(ticket[names.Bytes:], state)
		},
	}, nil
}
