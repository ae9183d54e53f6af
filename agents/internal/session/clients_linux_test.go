package session_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/serverstest"
)

const (
	serverName = serverstest.ServerName
	patience   = 20 * time.Second // a busy machine, and SYNs that are lost
)

// client has the sessions of one client.
func client(version uint16) *tls.Config {
	return &tls.Config{
		ServerName: serverName, InsecureSkipVerify: true, //nolint:gosec // the certificate is the test's own
		MinVersion: version, MaxVersion: version, ClientSessionCache: tls.NewLRUClientSessionCache(4),
	}
}

// visit is one connection with one request. It returns the backend that answered.
func (l *lab) visit(family int, config *tls.Config) (backend string, resumed bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := l.network.Client.Dial(ctx, "tcp", at(family))
	if err != nil {
		return "", false, err
	}
	defer conn.Close()
	return request(conn, config)
}

// request makes one request by TLS.
func request(conn net.Conn, config *tls.Config) (backend string, resumed bool, err error) {
	secure := tls.Client(conn, config)
	if err := secure.SetDeadline(time.Now().Add(patience)); err != nil {
		return "", false, err
	}
	if backend, err = get(secure, bufio.NewReader(secure), true); err != nil {
		return "", false, err
	}
	return backend, secure.ConnectionState().DidResume, nil
}

// get gets the name of a backend.
func get(conn net.Conn, reader *bufio.Reader, last bool) (backend string, err error) {
	request := "GET / HTTP/1.1\r\nHost: " + serverName + "\r\n"
	if last {
		request += "Connection: close\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		return "", err
	}
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		return "", fmt.Errorf("read a response: %w", err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return strings.TrimSpace(string(body)), err
}

// mostClients are enough to reach two backends. Which one a client reaches depends on its port.
const mostClients = 64

// returns lets clients begin sessions, and then return. Each must resume at its own backend. More clients
// begin until two backends were reached.
func (l *lab) returns(t *testing.T, family int, version uint16, clients, times int) {
	t.Helper()
	backends := map[string]int{}
	for n := 0; n < clients || len(backends) < 2 && n < mostClients; n++ {
		config := client(version)
		first, _, err := l.visit(family, config)
		if err != nil {
			l.logCounts(t)
			t.Fatalf("a new session: %v", err)
		}
		backends[first]++
		for range times {
			if again, resumed, err := l.visit(family, config); err != nil || again != first || !resumed {
				l.logCounts(t)
				t.Fatalf("a client of %s returned to %s, resumed: %t, %v", first, again, resumed, err)
			}
		}
	}
	if len(backends) < 2 {
		t.Errorf("all of %d new sessions went to one backend: %v", mostClients, backends)
	}
}
