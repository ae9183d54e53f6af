package keys_test

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/keys"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/serverstest"
)

// tickets is what an application in Go needs to begin its tickets with a name: the configs of a file's keys, the
// own one first.
type tickets []named

type named struct {
	name    [names.Bytes]byte
	sealing *tls.Config
}

func readTickets(path string) (all tickets, err error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for key := range slices.Chunk(content, names.Bytes+32) {
		one := named{name: [names.Bytes]byte(key), sealing: &tls.Config{}}
		one.sealing.SetSessionTicketKeys([][32]byte{[32]byte(key[names.Bytes:])})
		all = append(all, one)
	}
	return all, nil
}

func (t tickets) wrap(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
	ticket, err := t[0].sealing.EncryptTicket(state, session)
	return slices.Concat(t[0].name[:], ticket), err
}

func (t tickets) unwrap(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
	name, ok := names.Of(ticket)
	at := slices.IndexFunc(t, func(one named) bool { return one.name == name })
	if !ok || at < 0 {
		return nil, nil // a full handshake
	}
	return t[at].sealing.DecryptTicket(ticket[names.Bytes:], state)
}

// goServer is an application in this process. The function reads the file again.
func goServer(t *testing.T, path string) (server *serverstest.Server, read func()) {
	t.Helper()
	var current atomic.Pointer[tickets]
	read = func() {
		all, err := readTickets(path)
		must(t, err)
		current.Store(&all)
	}
	read()
	config := &tls.Config{
		Certificates: []tls.Certificate{serverstest.Certificate(t)},
		WrapSession: func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			return current.Load().wrap(state, session)
		},
		UnwrapSession: func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
			return current.Load().unwrap(ticket, state)
		},
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	application := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}
	ended := make(chan error)
	go func() { ended <- application.Serve(tls.NewListener(listener, config)) }()
	t.Cleanup(func() {
		_ = application.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return &serverstest.Server{Address: netip.MustParseAddrPort(listener.Addr().String())}, read
}

func TestGoRotatesWithAWrappedSession(t *testing.T) {
	t.Parallel()
	testRotation(t, start(t, func(_ string, first keys.Server) (*serverstest.Server, func(keys.Server)) {
		path := filepath.Join(t.TempDir(), "tickets")
		must(t, keys.Write(keys.Go(path, first)))
		server, read := goServer(t, path)
		return server, func(wanted keys.Server) {
			must(t, keys.Write(keys.Go(path, wanted)))
			read()
		}
	}), always, true)
}

// SetSessionTicketKeys alone resumes sessions anywhere, but a balancer can't see whose they are.
func TestGoWithoutAWrappedSessionHasNoNames(t *testing.T) {
	t.Parallel()
	config := &tls.Config{Certificates: []tls.Certificate{serverstest.Certificate(t)}}
	config.SetSessionTicketKeys([][32]byte{{1}})
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	application := &http.Server{ReadHeaderTimeout: time.Minute}
	ended := make(chan error)
	go func() { ended <- application.Serve(tls.NewListener(listener, config)) }()
	defer func() {
		_ = application.Close()
		<-ended
	}()
	for _, finding := range (names.Prober{}).Probe(t.Context(), netip.MustParseAddrPort(listener.Addr().String()), serverstest.ServerName) {
		if finding.Kind != names.Random {
			t.Errorf("finding %+v", finding)
		}
	}
}
