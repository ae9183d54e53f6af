package app

import (
	"crypto/tls"
	"fmt"
	"os"
	"slices"

	"fairlead.dev/agents/internal/session/names"
)

const sealingBytes = 32 // of a key of SetSessionTicketKeys

// serverConfig has a certificate of this name, and the ticket keys of a file, if it isn't empty.
func serverConfig(name, tickets string) (*tls.Config, error) {
	certificate, err := certify(name)
	if err != nil {
		return nil, err
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}}
	if tickets == "" {
		return config, nil
	}
	return config, nameTickets(config, tickets)
}

// nameTickets begins tickets with the name of the file's first key, by which a balancer recognizes the server.
// All servers of a lab have the same secret, so each also resumes the sessions of the others, also of pods
// that are added later.
func nameTickets(config *tls.Config, path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read ticket keys: %w", err)
	}
	if len(content) < names.Bytes+sealingBytes {
		return fmt.Errorf("the ticket keys in %s have %d bytes: use %d or more", path, len(content), names.Bytes+sealingBytes)
	}
	own, sealing := content[:names.Bytes], &tls.Config{}
	sealing.SetSessionTicketKeys([][sealingBytes]byte{[sealingBytes]byte(content[names.Bytes:])})
	config.WrapSession = func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
		ticket, err := sealing.EncryptTicket(state, session)
		return slices.Concat(own, ticket), err
	}
	config.UnwrapSession = func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
		if len(ticket) < names.Bytes {
			return nil, nil // a full handshake
		}
		return sealing.DecryptTicket(ticket[names.Bytes:], state)
	}
	return nil
}
