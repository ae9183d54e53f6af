package keys_test

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/keys"
	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/session/serverstest"
)

func TestGoRotatesWithAWrappedSession(t *testing.T) {
	t.Parallel()
	testRotation(t, start(t, func(_ string, first keys.Server) (*serverstest.Server, func(keys.Server)) {
		path := filepath.Join(t.TempDir(), "tickets")
		must(t, keys.Write(keys.Go(path, first)))
		listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		must(t, err)
		serverstest.Go(t, listener, "ok", path)
		server := &serverstest.Server{Address: netip.MustParseAddrPort(listener.Addr().String())}
		return server, func(wanted keys.Server) { must(t, keys.Write(keys.Go(path, wanted))) }
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
