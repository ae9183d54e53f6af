package names

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"syscall"
	"time"
)

const (
	// connectionsLeast connections are opened with each version. If their names differ, there
	// are up to connectionsMost: several processes with a key each are found, and random names
	// don't cost more.
	connectionsLeast = 3
	connectionsMost  = 8

	// ticketsMost bounds what is kept of one connection.
	ticketsMost = 16
	// discardMost bounds what is read of a server that sends data of its own.
	discardMost = 64 << 10

	// silence is how long a server may take to send a ticket before it gets a request. Servers
	// with BoringSSL, such as Envoy, send tickets together with their first response.
	silence = 250 * time.Millisecond
	// responseTime is how long a response to the request may take: it may have the first ticket.
	responseTime = time.Second
	// settle is the time after one ticket in which others are expected: servers send them together.
	settle = 20 * time.Millisecond

	timeoutDefault = 3 * time.Second
)

// Prober collects tickets over the network.
type Prober struct {
	Dial    func(ctx context.Context, network, address string) (net.Conn, error) // nil: the real network
	Timeout time.Duration                                                        // of each connection; default when 0
}

// Versions are the ones that are probed, the first one first.
var Versions = []uint16{tls.VersionTLS13, tls.VersionTLS12}

// Probe opens several connections of each version, and judges the tickets that they get.
func (p Prober) Probe(ctx context.Context, address netip.AddrPort, serverName string) []Finding {
	findings := make([]Finding, 0, len(Versions))
	for _, version := range Versions {
		findings = append(findings, p.probeVersion(ctx, address, serverName, version))
	}
	return findings
}

func (p Prober) probeVersion(ctx context.Context, address netip.AddrPort, serverName string, version uint16) Finding {
	var connections [][][]byte
	for len(connections) < connectionsMost {
		tickets, err := p.collect(ctx, address, serverName, version)
		if err != nil {
			return failure(version, err)
		}
		connections = append(connections, tickets)
		if finding := judge(version, connections); len(connections) >= connectionsLeast && finding.Once == 0 {
			return finding
		}
	}
	return judge(version, connections)
}

// collect returns the tickets of one connection. Its error is a clause that follows the
// server's name: "refused the connection".
func (p Prober) collect(ctx context.Context, address netip.AddrPort, serverName string, version uint16) ([][]byte, error) {
	timeout := p.Timeout
	if timeout == 0 {
		timeout = timeoutDefault
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	tickets, err := p.connect(ctx, address, serverName, version)
	if err != nil {
		return nil, plain(ctx, timeout, err)
	}
	return tickets, nil
}

func (p Prober) connect(ctx context.Context, address netip.AddrPort, serverName string, version uint16) ([][]byte, error) {
	dial := p.Dial
	if dial == nil {
		dial = (&net.Dialer{KeepAlive: -1}).DialContext
	}
	conn, err := dial(ctx, "tcp", address.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()

	got := &capture{}
	secured := tls.Client(conn, &tls.Config{
		ServerName: serverName, InsecureSkipVerify: true, // see the package
		MinVersion: version, MaxVersion: version, ClientSessionCache: got,
	})
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, fmt.Errorf("failed the TLS handshake: %w", err)
	}
	if version == tls.VersionTLS12 { // its ticket is part of the handshake
		return got.tickets, nil
	}
	got.first = func() { _ = conn.SetReadDeadline(time.Now().Add(settle)) }
	return got.tickets, awaitTickets(ctx, conn, secured, got)
}

// awaitTickets reads until a ticket has come, which with TLS 1.3 is after the handshake. A server
// that sends none gets a request.
func awaitTickets(ctx context.Context, conn net.Conn, secured *tls.Conn, got *capture) error {
	if err := conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
		return err
	}
	if err := discard(secured); !errors.Is(err, os.ErrDeadlineExceeded) || ctx.Err() != nil || len(got.tickets) > 0 {
		return unlessTickets(ctx, err, got)
	}
	if err := conn.SetReadDeadline(time.Now().Add(responseTime)); err != nil {
		return err
	}
	if _, err := io.WriteString(secured, request(secured.ConnectionState().ServerName)); err != nil {
		return err
	}
	return unlessTickets(ctx, discard(secured), got)
}

// unlessTickets returns the error of a connection that ended without a ticket. A server may close
// it at any time, and may send none.
func unlessTickets(ctx context.Context, err error, got *capture) error {
	switch {
	case len(got.tickets) > 0, errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET):
		return nil
	case ctx.Err() == nil && errors.Is(err, os.ErrDeadlineExceeded):
		return nil
	}
	return fmt.Errorf("ended the TLS connection: %w", err)
}

func discard(conn *tls.Conn) error {
	if _, err := io.CopyN(io.Discard, conn, discardMost); err != nil {
		return err
	}
	return io.EOF // enough
}

// request has no effect on a web server, and any response is fine.
func request(serverName string) string {
	if serverName == "" {
		serverName = "localhost"
	}
	return "HEAD / HTTP/1.1\r\nHost: " + serverName + "\r\nUser-Agent: fairlead-names\r\nConnection: close\r\n\r\n"
}

// plain describes an error without the addresses and system calls of Go's errors: the server is
// named next to it.
func plain(ctx context.Context, timeout time.Duration, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return context.Canceled
	case ctx.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("sent no response within %v", timeout)
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("refused the connection")
	case strings.Contains(err.Error(), "protocol version"): // of either side; the alert has no type of its own
		return errNotOffered
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("closed the connection during the TLS handshake")
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return errors.New("can't be reached: there is no route to its host")
	}
	return err
}
