package serverstest

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"
)

const responseTime = 10 * time.Second

// Client is one with a session cache for a version of TLS.
type Client struct{ config *tls.Config }

// NewClient returns a client without a session.
func NewClient(version uint16) *Client {
	return &Client{config: &tls.Config{
		ServerName: ServerName, InsecureSkipVerify: true, MinVersion: version, MaxVersion: version,
		ClientSessionCache: tls.NewLRUClientSessionCache(1),
	}}
}

// Get sends a request to a server, keeps the server's ticket, and reports whether the session was resumed.
func (c *Client) Get(t *testing.T, address netip.AddrPort) (resumed bool) {
	t.Helper()
	return get(t, c.config, address)
}

// Resumes does the same, but keeps the ticket that the client has. It can be called again until the server
// rejects that ticket.
func (c *Client) Resumes(t *testing.T, address netip.AddrPort) bool {
	t.Helper()
	config := c.config.Clone()
	config.ClientSessionCache = unchanged{config.ClientSessionCache}
	return get(t, config, address)
}

// unchanged is a session cache that ignores new sessions.
type unchanged struct{ tls.ClientSessionCache }

func (unchanged) Put(string, *tls.ClientSessionState) {}

func get(t *testing.T, config *tls.Config, address netip.AddrPort) (resumed bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), responseTime)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address.String())
	must(t, err)
	defer conn.Close()
	must(t, conn.SetDeadline(time.Now().Add(responseTime)))
	secured := tls.Client(conn, config)
	must(t, secured.HandshakeContext(ctx))
	_, err = io.WriteString(secured, "GET / HTTP/1.1\r\nHost: "+ServerName+"\r\nConnection: close\r\n\r\n")
	must(t, err)
	// Tickets come before or with the response. Envoy waits for a second before it closes.
	response, err := http.ReadResponse(bufio.NewReader(secured), nil)
	must(t, err)
	_ = response.Body.Close()
	return secured.ConnectionState().DidResume
}

// ResumesAt reports whether a server resumes a session that another one began.
func ResumesAt(t *testing.T, version uint16, first, second netip.AddrPort) bool {
	t.Helper()
	client := NewClient(version)
	if client.Get(t, first) {
		t.Fatal("the first connection was resumed")
	}
	return client.Get(t, second)
}
