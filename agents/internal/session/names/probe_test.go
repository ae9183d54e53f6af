package names_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/session/names"
	"fairlead.dev/agents/internal/tlstest"
)

var first, second = names.Name([]byte("the first server")), names.Name([]byte("the second one!!"))

// named begins tickets with a name of the sequence, which repeats.
func named(sequence ...names.Name) func(*tls.Config) {
	return func(config *tls.Config) {
		sealing, next := &tls.Config{}, make(chan names.Name, len(sequence))
		for _, name := range sequence {
			next <- name
		}
		sealing.SetSessionTicketKeys([][32]byte{{1}})
		config.WrapSession = func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			name := <-next
			next <- name
			ticket, err := sealing.EncryptTicket(state, session)
			return slices.Concat(name[:], ticket), err
		}
	}
}

// serve runs a TLS server, which reads until clients close.
func serve(t *testing.T, changes ...func(*tls.Config)) netip.AddrPort {
	t.Helper()
	config := &tls.Config{Certificates: []tls.Certificate{tlstest.Certificate(t, "a.test")}}
	for _, change := range changes {
		change(config)
	}
	return listen(t, func(conn net.Conn) {
		secured := tls.Server(conn, config)
		_, _ = io.Copy(io.Discard, secured)
	})
}

func listen(t *testing.T, serve func(net.Conn)) netip.AddrPort {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				serve(conn)
			}()
		}
	}()
	return netip.MustParseAddrPort(listener.Addr().String())
}

func TestAProbeFindsWhatTicketsBeginWith(t *testing.T) {
	t.Parallel()
	only := func(least, most uint16) func(*tls.Config) {
		return func(config *tls.Config) { config.MinVersion, config.MaxVersion = least, most }
	}
	tests := []struct {
		name   string
		server []func(*tls.Config)
		kinds  [2]names.Kind // with TLS 1.3 and 1.2
		names  []names.Name
	}{
		{"a name", []func(*tls.Config){named(first)}, [2]names.Kind{names.Stable, names.Stable}, []names.Name{first}},
		{"a name for each of two processes", []func(*tls.Config){named(first, second)}, [2]names.Kind{names.Stable, names.Stable}, []names.Name{first, second}},
		{"random bytes", nil, [2]names.Kind{names.Random, names.Random}, nil},
		{"no tickets", []func(*tls.Config){func(config *tls.Config) { config.SessionTicketsDisabled = true }}, [2]names.Kind{names.NoTickets, names.NoTickets}, nil},
		{"TLS 1.3 only", []func(*tls.Config){named(first), only(tls.VersionTLS13, tls.VersionTLS13)}, [2]names.Kind{names.Stable, names.NotOffered}, []names.Name{first}},
		{"TLS 1.2 only", []func(*tls.Config){named(first), only(tls.VersionTLS12, tls.VersionTLS12)}, [2]names.Kind{names.NotOffered, names.Stable}, []names.Name{first}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			findings := names.Prober{}.Probe(t.Context(), serve(t, test.server...), "server.test")
			for i, finding := range findings {
				if finding.Version != names.Versions[i] || finding.Kind != test.kinds[i] || finding.Once != 0 && finding.Kind == names.Stable {
					t.Errorf("finding %+v, want %s", finding, test.kinds[i])
				}
				if finding.Kind == names.Stable && !reflect.DeepEqual(finding.Names, test.names) {
					t.Errorf("names %v, want %v", finding.Names, test.names)
				}
				if (finding.Kind == names.Stable) != (finding.Reason == "") {
					t.Errorf("reason %q of %s", finding.Reason, finding.Kind)
				}
			}
		})
	}
}

func TestAProbeUsesTheServerName(t *testing.T) {
	t.Parallel()
	own := tlstest.Certificate(t, "a.test")
	address := serve(t, func(config *tls.Config) {
		config.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			chosen := &tls.Config{Certificates: []tls.Certificate{own}}
			named(map[string]names.Name{"first.test": first, "second.test": second}[hello.ServerName])(chosen)
			return chosen, nil
		}
	})
	for serverName, want := range map[string]names.Name{"first.test": first, "second.test": second} {
		for _, finding := range (names.Prober{}).Probe(t.Context(), address, serverName) {
			if !reflect.DeepEqual(finding.Names, []names.Name{want}) {
				t.Errorf("%s: %+v", serverName, finding)
			}
		}
	}
}

// A client certificate is checked after the handshake of a TLS 1.3 client.
func TestAProbeReportsWhyTLSFails(t *testing.T) {
	t.Parallel()
	refusing, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := netip.MustParseAddrPort(refusing.Addr().String())
	_ = refusing.Close()
	tests := []struct {
		name    string
		address netip.AddrPort
		timeout time.Duration // a handshake needs more than the silent server gets
		want    string
	}{
		{"nothing listens", closed, time.Minute, "refused the connection"},
		{"no TLS", listen(t, func(conn net.Conn) { _, _ = io.WriteString(conn, "220 mail.test ESMTP\r\n") }), time.Minute, "failed the TLS handshake"},
		{"closes", listen(t, func(net.Conn) {}), time.Minute, "closed the connection during the TLS handshake"},
		{"silent", listen(t, func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }), 500 * time.Millisecond, "sent no response within 500ms"},
		{"wants a client certificate", serve(t, func(config *tls.Config) { config.ClientAuth = tls.RequireAnyClientCert }), time.Minute, "certificate required"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prober := names.Prober{Timeout: test.timeout}
			finding := prober.Probe(t.Context(), test.address, "server.test")[0]
			if finding.Kind != names.Failed || !strings.Contains(finding.Reason, test.want) {
				t.Errorf("finding %+v, want %q", finding, test.want)
			}
		})
	}
}

func TestAProbeEndsWhenItIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	address := listen(t, func(conn net.Conn) {
		cancel()
		_, _ = io.Copy(io.Discard, conn)
	})
	prober := names.Prober{Timeout: time.Hour}
	if finding := prober.Probe(ctx, address, "")[0]; finding.Kind != names.Failed || finding.Reason != context.Canceled.Error() {
		t.Fatalf("finding %+v", finding)
	}
}

// Servers with BoringSSL send tickets with their first response. Package keys tests one: Envoy.
func TestAServerThatSendsNoTicketGetsARequest(t *testing.T) {
	t.Parallel()
	requests := make(chan string, 100)
	config := &tls.Config{Certificates: []tls.Certificate{tlstest.Certificate(t, "a.test")}, SessionTicketsDisabled: true, MinVersion: tls.VersionTLS13}
	address := listen(t, func(conn net.Conn) {
		secured, buffer := tls.Server(conn, config), make([]byte, 1000)
		size, _ := secured.Read(buffer)
		requests <- string(buffer[:size])
	})
	findings := names.Prober{}.Probe(t.Context(), address, "server.test")
	if got := <-requests; !strings.HasPrefix(got, "HEAD / HTTP/1.1\r\nHost: server.test\r\n") {
		t.Errorf("request %q", got)
	}
	if findings[0].Kind != names.NoTickets {
		t.Errorf("finding %+v", findings[0])
	}
}
