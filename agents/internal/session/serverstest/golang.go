package serverstest

import (
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/names"
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

// Go runs an application in the test's process, with a file of ticket keys that it reads again whenever it is replaced.
func Go(t *testing.T, listener net.Listener, name, path string) (application *http.Server) {
	t.Helper()
	var current atomic.Pointer[tickets]
	read := func() {
		if all, err := readTickets(path); err == nil {
			current.Store(&all)
		}
	}
	read()
	if current.Load() == nil {
		t.Fatalf("no ticket keys in %s", path)
	}
	config := &tls.Config{
		Certificates: []tls.Certificate{Certificate(t)},
		WrapSession: func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			return current.Load().wrap(state, session)
		},
		UnwrapSession: func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
			return current.Load().unwrap(ticket, state)
		},
	}
	application = &http.Server{ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo), Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, name) })}
	ended, stop := make(chan error), make(chan struct{})
	go func() { ended <- application.Serve(tls.NewListener(listener, config)) }()
	go follow(path, stop, read)
	t.Cleanup(func() {
		close(stop)
		_ = application.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return application
}

// follow calls changed whenever a file was replaced.
func follow(path string, stop <-chan struct{}, changed func()) {
	const every = 20 * time.Millisecond
	before, _ := os.Stat(path)
	for {
		select {
		case <-stop:
			return
		case <-time.After(every):
		}
		if now, err := os.Stat(path); err == nil && (before == nil || !os.SameFile(before, now)) {
			before = now
			changed()
		}
	}
}

// Follow calls changed whenever a file was replaced, until the test ends.
func Follow(t *testing.T, path string, changed func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		follow(path, stop, changed)
	}()
	t.Cleanup(func() {
		close(stop)
		<-ended
	})
}
