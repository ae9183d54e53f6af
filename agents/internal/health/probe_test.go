package health_test

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/health"
)

// probe checks over real loopback sockets.
func probe(t *testing.T, address string, check health.Check) error {
	t.Helper()
	where := netip.MustParseAddrPort(address)
	if check.Timeout == 0 {
		check.Timeout = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), check.Timeout)
	defer cancel()
	return health.Prober{}.Probe(ctx, health.Target{Address: where.Addr(), Port: where.Port(), Check: check})
}

func expect(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil {
		t.Errorf("failed: %v", err)
	}
	if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("err = %v, want %q", err, want)
	}
}

func TestTCP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	expect(t, probe(t, listener.Addr().String(), health.Check{Kind: health.TCP}), "")
	listener.Close()
	expect(t, probe(t, listener.Addr().String(), health.Check{Kind: health.TCP}), "refused the connection")
}

func TestTheChecksPortOverridesTheBackends(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	expect(t, probe(t, "127.0.0.1:1", health.Check{Kind: health.TCP, Port: uint16(port)}), "")
}

func TestHTTPAndHTTPS(t *testing.T) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/healthz" && r.URL.RawQuery == "deep=1" && r.Host == "shop.example":
			w.WriteHeader(http.StatusNoContent)
		case r.RequestURI == "/of%2Fshop%20one":
		case r.URL.Path == "/moved":
			http.Redirect(w, r, "/nowhere", http.StatusFound)
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	plain, secured := httptest.NewServer(handler), httptest.NewUnstartedServer(handler)
	defer plain.Close()
	var requested string
	secured.TLS = &tls.Config{GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		requested = hello.ServerName
		return nil, nil
	}}
	secured.StartTLS()
	defer secured.Close()

	var teapot health.Statuses
	teapot.Add(http.StatusTeapot)
	teapot.Add(http.StatusServiceUnavailable)
	for _, test := range []struct {
		name  string
		check health.Check
		want  string
	}{
		{"good", health.Check{Path: "/healthz?deep=1", Host: "shop.example"}, ""},
		{"without the host's name", health.Check{Path: "/healthz?deep=1"}, "answered 503 Service Unavailable"},
		{"a path that is escaped already", health.Check{Path: "/of%2Fshop%20one"}, ""},
		{"a redirect is good and not followed", health.Check{Path: "/moved"}, ""},
		{"bad", health.Check{Path: "/"}, "answered 503 Service Unavailable"},
		{"bad but wanted", health.Check{Path: "/", Statuses: teapot}, ""},
		{"good but not wanted", health.Check{Path: "/moved", Statuses: teapot}, "answered 302 Found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.check.Kind = health.HTTP
			expect(t, probe(t, plain.Listener.Addr().String(), test.check), test.want)
			test.check.Kind = health.HTTPS
			expect(t, probe(t, secured.Listener.Addr().String(), test.check), test.want)
			if requested != test.check.Host {
				t.Errorf("the TLS server name is %q, not %q", requested, test.check.Host)
			}
		})
	}
	expect(t, probe(t, plain.Listener.Addr().String(), health.Check{Kind: health.HTTPS, Path: "/"}), "failed the TLS handshake")
}

func TestAServerThatSendsNothingOrNonsense(t *testing.T) {
	for _, test := range []struct {
		name  string
		kind  health.Kind
		sends string // "" sends nothing
		want  string
	}{
		{"silence", health.HTTP, "", "sent no response within 50ms"},
		{"nonsense", health.HTTP, "hello\r\n\r\n", "sent no HTTP response"},
		{"silence", health.GRPC, "", "sent no response within 50ms"},
		{"silence", health.HTTPS, "", "sent no response within 50ms"},
	} {
		t.Run(test.name+" to "+string(test.kind), func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				if test.sends != "" {
					_, _ = io.WriteString(conn, test.sends)
				}
				_, _ = io.Copy(io.Discard, conn)
			}()
			check := health.Check{Kind: test.kind, Path: "/", Timeout: 50 * time.Millisecond}
			if test.sends != "" {
				check.Timeout = 0
			}
			expect(t, probe(t, listener.Addr().String(), check), test.want)
			listener.Close()
			<-done
		})
	}
}

func TestGRPC(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.URL.Path != "/grpc.health.v1.Health/Check" || r.Header.Get("Content-Type") != "application/grpc" || r.ProtoMajor != 2 {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Trailer", "Grpc-Status")
		service := string(body[5:])
		if service != "" {
			service = service[2:] // tag and length
		}
		status := map[string]byte{"": 1, "shop": 1, "till": 2}[service]
		if status == 0 {
			w.Header().Set("Grpc-Status", "5")
			return
		}
		message := []byte{0x08, status}
		_, _ = w.Write(append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message))), message...))
		w.Header().Set("Grpc-Status", "0")
	}))
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Config.Protocols.SetHTTP1(true)
	server.Start()
	defer server.Close()
	for _, test := range []struct{ service, want string }{
		{"", ""},
		{"shop", ""},
		{"till", "reports that it is not serving (status 2)"},
		{"none", "has no health status for the requested service"},
	} {
		t.Run(test.service, func(t *testing.T) {
			expect(t, probe(t, server.Listener.Addr().String(), health.Check{Kind: health.GRPC, Path: test.service}), test.want)
		})
	}

	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	expect(t, probe(t, web.Listener.Addr().String(), health.Check{Kind: health.GRPC}), "sent no HTTP/2 response")
}

func TestUDP(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		question := make([]byte, 100)
		for {
			size, from, err := conn.ReadFrom(question)
			if err != nil {
				return
			}
			_, _ = conn.WriteTo(fmt.Appendf(nil, "pong %s", question[:size]), from)
		}
	}()
	address := conn.LocalAddr().String()
	expect(t, probe(t, address, health.Check{Kind: health.UDP, Send: "ping", Expect: "pong pi"}), "")
	expect(t, probe(t, address, health.Check{Kind: health.UDP, Send: "ping"}), "")
	expect(t, probe(t, address, health.Check{Kind: health.UDP, Send: "ping", Expect: "pang"}), `answered "pong", not "pang"`)
	conn.Close()
	<-done
	expect(t, probe(t, address, health.Check{Kind: health.UDP, Send: "ping"}), "refused the connection")
}
