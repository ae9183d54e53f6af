package load

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
)

// Resumption is how users resume their TLS sessions.
type Resumption string

// The kinds of resumption.
const (
	PSK    Resumption = "1.3"        // TLS 1.3 pre-shared keys: each ticket is used once
	Ticket Resumption = "1.2-ticket" // TLS 1.2 session tickets
	ID     Resumption = "1.2-id"     // TLS 1.2 session ids
)

// TLSOptions are how users connect to https.
type TLSOptions struct {
	Resumption Resumption
	ServerName string         // the URL's host when empty
	Roots      *x509.CertPool // the system's when nil
	Insecure   bool           // accept any certificate

	HelloPackets int // in which the ClientHello is sent
}

// session is a user's TLS session.
type session interface {
	// handshake resumes the session, if there is one to offer, and keeps what the server issues.
	handshake(conn net.Conn) (net.Conn, shake, error)
}

// shake is how a handshake went.
type shake struct{ offered, resumed bool }

func (o TLSOptions) check(scheme string) error {
	switch o.Resumption {
	case PSK, Ticket, ID:
	default:
		return fmt.Errorf("--tls is %q: use %q, %q or %q", o.Resumption, PSK, Ticket, ID)
	}
	if o.HelloPackets < 0 || o.HelloPackets > mostHelloPackets {
		return fmt.Errorf("--hello-packets is %d: use 1 to %d", o.HelloPackets, mostHelloPackets)
	}
	if scheme == "http" && (o.Insecure || o.Roots != nil || o.ServerName != "" || o.HelloPackets > 1) {
		return fmt.Errorf("--insecure, --ca, --server-name and --hello-packets need a URL that starts with https://")
	}
	return nil
}

// newSession returns the session of a new user; nil without TLS.
func (o TLSOptions) newSession(target *url.URL) session {
	if target.Scheme != "https" {
		return nil
	}
	name := o.ServerName
	if name == "" {
		name = target.Hostname()
	}
	config := &tls.Config{ServerName: name, RootCAs: o.Roots, InsecureSkipVerify: o.Insecure, NextProtos: []string{"http/1.1"}}
	if o.Resumption == ID {
		return newIDSession(config)
	}
	return newTicketSession(config, o.Resumption == PSK)
}

// ticketSession resumes by a ticket: a pre-shared key of TLS 1.3, or a session ticket of TLS 1.2.
type ticketSession struct {
	tickets *tickets
	config  *tls.Config
}

// newTicketSession is for TLS 1.3, where each ticket is used once, or for TLS 1.2.
func newTicketSession(config *tls.Config, once bool) *ticketSession {
	version := uint16(tls.VersionTLS12)
	if once {
		version = tls.VersionTLS13
	}
	kept := &tickets{once: once}
	config.MinVersion, config.MaxVersion, config.ClientSessionCache = version, version, kept
	return &ticketSession{kept, config}
}

func (s *ticketSession) handshake(conn net.Conn) (net.Conn, shake, error) {
	s.tickets.offered = false
	over := tls.Client(conn, s.config)
	if err := over.Handshake(); err != nil {
		return nil, shake{offered: s.tickets.offered}, err
	}
	return over, shake{s.tickets.offered, over.ConnectionState().DidResume}, nil
}

// mostTickets bounds what a server can make a user keep.
const mostTickets = 8

// tickets are those of one user and one server. crypto/tls calls its methods from the user's goroutine.
type tickets struct {
	once    bool // each is used once, as TLS 1.3 recommends
	offered bool // one was taken for the current handshake
	kept    []*tls.ClientSessionState
}

// Get returns the newest ticket.
func (t *tickets) Get(string) (*tls.ClientSessionState, bool) {
	last := len(t.kept) - 1
	if last < 0 {
		return nil, false
	}
	ticket := t.kept[last]
	if t.once {
		t.kept = t.kept[:last]
	}
	t.offered = true
	return ticket, true
}

// Put keeps a new ticket. Without one, crypto/tls has found the last ticket to be invalid.
func (t *tickets) Put(_ string, ticket *tls.ClientSessionState) {
	if ticket == nil {
		t.offered, t.kept = false, nil
		return
	}
	if t.kept = append(t.kept, ticket); len(t.kept) > mostTickets {
		t.kept = t.kept[1:]
	}
}
