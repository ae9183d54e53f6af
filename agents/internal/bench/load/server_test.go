package load

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"fairlead.dev/agents/internal/racing"
	"fairlead.dev/agents/internal/tlstest"
)

// optionsFor are those of a short run. Lateness isn't limited: a test shares its machine with others.
func optionsFor(target string, addresses ...netip.AddrPort) Options {
	return Options{
		URL: mustURL(target), Addresses: addresses, Header: http.Header{}, Backend: BackendName{"X-Backend"},
		TLS: TLSOptions{Resumption: PSK}, Rate: 200, Arrivals: Poisson, Seed: 1, For: time.Second, Users: 10, Requests: 2,
		Timeout: 10 * time.Second, MaxLateness: time.Hour,
	}
}

// run fails the test unless every request was answered.
func run(t *testing.T, o Options) Report {
	t.Helper()
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if report.Void || report.Answered == 0 || report.Answered != report.Due || report.Failed+report.Unsent > 0 {
		t.Fatalf("not every request was answered: %+v", report)
	}
	return report
}

// plain is an HTTP server that names itself.
func plain(t *testing.T, listen, name string, handler http.HandlerFunc) netip.AddrPort {
	t.Helper()
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, listener, name, handler)
}

// secured is the same with TLS. Servers with the same key resume each other's sessions.
func secured(t *testing.T, pair tls.Certificate, name string, key [32]byte) netip.AddrPort {
	t.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{pair}}
	config.SetSessionTicketKeys([][32]byte{key})
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, listener, name, func(http.ResponseWriter, *http.Request) {})
}

func serveOn(t *testing.T, listener net.Listener, name string, handler http.HandlerFunc) netip.AddrPort {
	t.Helper()
	server := &httptest.Server{Listener: listener, Config: &http.Server{
		ErrorLog: log.New(io.Discard, "", 0),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Backend", name)
			handler(w, r)
		}),
	}}
	server.Start()
	t.Cleanup(server.Close)
	return netip.MustParseAddrPort(listener.Addr().String())
}

// certificate is one for shop.example, with what trusts it.
func certificate(t *testing.T) (pair tls.Certificate, roots *x509.CertPool) {
	t.Helper()
	pair = tlstest.Certificate(t, "shop.example")
	parsed, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots = x509.NewCertPool()
	roots.AddCert(parsed)
	return pair, roots
}

// quick is a handler that replies at once.
func quick(http.ResponseWriter, *http.Request) {}

// slower is a time with a margin for the race detector.
func slower(d time.Duration) time.Duration { return d * time.Duration(racing.Slower) }
