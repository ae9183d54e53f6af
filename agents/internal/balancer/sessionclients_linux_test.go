package balancer

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

// serveTLS starts a server whose tickets begin with its own name. All have the same secret.
func serveTLS(t *testing.T, host *datapathtest.Host, certificate tls.Certificate) *http.Server {
	t.Helper()
	return serveTLSWith(t, host, certificate, false)
}

// serveTLSWith may listen with MPTCP, as Go does by default.
func serveTLSWith(t *testing.T, host *datapathtest.Host, certificate tls.Certificate, multipath bool) *http.Server {
	t.Helper()
	sealing, name := &tls.Config{}, []byte("backend "+host.Name+" 000000")
	sealing.SetSessionTicketKeys([][32]byte{{1, 2, 3}})
	config := &tls.Config{
		Certificates: []tls.Certificate{certificate},
		WrapSession: func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			ticket, err := sealing.EncryptTicket(state, session)
			return slices.Concat(name, ticket), err
		},
		UnwrapSession: func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
			return sealing.DecryptTicket(ticket[min(len(ticket), len(name)):], state)
		},
	}
	listening := net.ListenConfig{}
	listening.SetMultipathTCP(multipath)
	var listener net.Listener
	err := host.Space.Do(func() (err error) {
		listener, err = listening.Listen(t.Context(), "tcp", fmt.Sprintf(":%d", labPort))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		ReadHeaderTimeout: labPatience, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, host.Name) }),
	}
	go func() { _ = server.Serve(tls.NewListener(listener, config)) }()
	t.Cleanup(func() { _ = server.Close() })
	return server
}

// client has the sessions of one client.
func client(version uint16) *tls.Config {
	return &tls.Config{
		ServerName: "session.test", InsecureSkipVerify: true, //nolint:gosec // the certificate is the test's own
		MinVersion: version, MaxVersion: version, ClientSessionCache: tls.NewLRUClientSessionCache(4),
	}
}

// lasting is a connection for many requests.
type lasting struct {
	*tls.Conn
	reader  *bufio.Reader
	backend string
}

func (l *sessionLab) connect(config *tls.Config) (*lasting, error) {
	ctx, cancel := context.WithTimeout(context.Background(), labPatience)
	defer cancel()
	conn, err := l.network.Client.Dial(ctx, "tcp", netip.AddrPortFrom(l.key.Address, labPort).String())
	if err != nil {
		return nil, err
	}
	one := &lasting{Conn: tls.Client(conn, config)}
	one.reader = bufio.NewReader(one.Conn)
	if one.backend, err = one.get(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return one, nil
}

// get returns the name of the backend that answers.
func (c *lasting) get() (string, error) {
	if err := c.SetDeadline(time.Now().Add(labPatience)); err != nil {
		return "", err
	}
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: session.test\r\n\r\n"); err != nil {
		return "", err
	}
	response, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

// visit is one connection with one request.
func (l *sessionLab) visit(t *testing.T, config *tls.Config) (backend string, resumed bool) {
	t.Helper()
	one, err := l.connect(config)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	return one.backend, one.ConnectionState().DidResume
}

// mostClients are enough to reach two backends. Which one a client reaches depends on its port.
const mostClients = 64

// returns lets clients begin sessions, and return. Each must resume at its own backend. More clients begin
// until two backends were reached; it returns how many did.
func (l *sessionLab) returns(t *testing.T, version uint16, clients, times int) (used int) {
	t.Helper()
	backends := map[string]int{}
	for ; used < clients || len(backends) < 2 && used < mostClients; used++ {
		config := client(version)
		first, _ := l.visit(t, config)
		backends[first]++
		for range times {
			if again, resumed := l.visit(t, config); again != first || !resumed {
				t.Fatalf("a client of %s returned to %s, resumed: %t", first, again, resumed)
			}
		}
	}
	if len(backends) < 2 {
		t.Errorf("all of %d new sessions went to one backend: %v", mostClients, backends)
	}
	return used
}

// stay requires that connections are answered by their backend.
func stay(t *testing.T, when string, all []*lasting) {
	t.Helper()
	for _, one := range all {
		if got, err := one.get(); err != nil || got != one.backend {
			t.Fatalf("%s: a connection to %s was answered by %q, %v", when, one.backend, got, err)
		}
	}
}

// open opens connections, which the test closes.
func (l *sessionLab) open(t *testing.T, count int) (all []*lasting) {
	t.Helper()
	for range count {
		one, err := l.connect(client(tls.VersionTLS13))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = one.Close() })
		all = append(all, one)
	}
	return all
}
