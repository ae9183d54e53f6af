package app

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"fairlead.dev/agents/internal/session/names"
)

const (
	sealingBytes = 32 // of a key of SetSessionTicketKeys
	keyBytes     = names.Bytes + sealingBytes
)

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

// nameTickets begins tickets with the name of the file's first key, by which a balancer recognizes the server. The
// file is read again after it was replaced.
func nameTickets(config *tls.Config, path string) error {
	file := &ticketFile{path: path}
	if err := file.read(); err != nil {
		return err
	}
	config.WrapSession = func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
		own := file.current()[0]
		ticket, err := own.sealing.EncryptTicket(state, session)
		return slices.Concat(own.name, ticket), err
	}
	config.UnwrapSession = func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
		if len(ticket) < names.Bytes {
			return nil, nil // a full handshake
		}
		return keyOf(file.current(), ticket[:names.Bytes]).sealing.DecryptTicket(ticket[names.Bytes:], state)
	}
	return nil
}

// ticketKey is a name and what seals tickets.
type ticketKey struct {
	name    []byte
	sealing *tls.Config
}

// keyOf returns the key of this name, or the first one: all servers of a lab have the same secret, so each also
// resumes the sessions of the others, also of pods that are added later.
func keyOf(all []ticketKey, name []byte) ticketKey {
	if at := slices.IndexFunc(all, func(one ticketKey) bool { return bytes.Equal(one.name, name) }); at >= 0 {
		return all[at]
	}
	return all[0]
}

// ticketFile is a file of ticket keys, the server's own first.
type ticketFile struct {
	path string

	mu       sync.Mutex
	modified time.Time
	keys     []ticketKey
}

// current returns the keys. Those before stay if the file can't be read.
func (f *ticketFile) current() []ticketKey {
	f.mu.Lock()
	defer f.mu.Unlock()
	if seen, err := os.Stat(f.path); err == nil && !seen.ModTime().Equal(f.modified) {
		_ = f.read() // the next handshake tries again
	}
	return f.keys
}

func (f *ticketFile) read() error {
	seen, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("read ticket keys: %w", err)
	}
	content, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("read ticket keys: %w", err)
	}
	if len(content) < keyBytes {
		return fmt.Errorf("the ticket keys in %s have %d bytes: use %d or more", f.path, len(content), keyBytes)
	}
	var all []ticketKey
	for ; len(content) >= keyBytes; content = content[keyBytes:] {
		one := ticketKey{content[:names.Bytes], &tls.Config{}}
		one.sealing.SetSessionTicketKeys([][sealingBytes]byte{[sealingBytes]byte(content[names.Bytes:keyBytes])})
		all = append(all, one)
	}
	f.modified, f.keys = seen.ModTime(), all
	return nil
}
