package userspace

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath"
	"fairlead.dev/agents/internal/tlstest"
)

// instance echoes TLS clients' data, with a certificate of its own.
func instance(t testing.TB, name string) net.Addr {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{tlstest.Certificate(t, name)}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				_, _ = io.Copy(conn, conn)
			}()
		}
	}()
	return listener.Addr()
}

// byName carries one service whose backends have these names, in order.
func byName(t testing.TB, e *Engine, port uint16, names []string, addresses ...net.Addr) datapath.Service {
	t.Helper()
	service := datapath.Service{
		Key:      datapath.Key{Address: serviceAddress, Port: port, Protocol: datapath.TCP},
		Delivery: datapath.Proxy, Backends: backendsAt(addresses...),
	}
	for i, name := range names {
		service.Backends[i].ServerNames = []string{name}
	}
	set(t, e, service)
	return service
}

func set(t testing.TB, e *Engine, service datapath.Service) {
	t.Helper()
	if _, err := datapath.Whole(e.Set(t.Context(), []datapath.Service{service})); err != nil {
		t.Fatal(err)
	}
}

func opened(t testing.TB, connections int) *Engine {
	t.Helper()
	e := open(datapath.Options{Connections: connections})
	t.Cleanup(func() {
		if err := e.Remove(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// shown returns the name in the certificate that a Go client receives.
func shown(address string, config *tls.Config) (string, error) {
	config.InsecureSkipVerify = true // the caller checks the name
	conn, err := tls.DialWithDialer(&net.Dialer{Timeout: 10 * time.Second}, "tcp", address, config)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	text := strings.Repeat("all of this comes back ", 5000)
	go func() { _, _ = io.WriteString(conn, text) }()
	got := make([]byte, len(text))
	if _, err := io.ReadFull(conn, got); err != nil || string(got) != text {
		return "", errors.Join(errors.New("the echo differs"), err)
	}
	return conn.ConnectionState().PeerCertificates[0].Subject.CommonName, nil
}

func TestEachNameReachesItsOwnInstance(t *testing.T) {
	e, names := opened(t, 0), []string{"shop-0.example.com", "shop-1.example.com", "shop-2.example.com"}
	var addresses []net.Addr
	for _, name := range names {
		addresses = append(addresses, instance(t, name))
	}
	address := destination(byName(t, e, freePort(t), names, addresses...).Key).String()
	protocols := make([]string, 120)
	for i := range protocols {
		protocols[i] = strings.Repeat("p", 250) + string(rune('a'+i%26))
	}
	for name, config := range map[string]*tls.Config{
		"as usual":    {},
		"TLS 1.2":     {MaxVersion: tls.VersionTLS12},
		"30 KB hello": {NextProtos: protocols},
	} {
		t.Run(name, func(t *testing.T) {
			for _, want := range names {
				config.ServerName = strings.ToUpper(want[:3]) + want[3:]
				if got, err := shown(address, config.Clone()); got != want || err != nil {
					t.Errorf("requested %s: %q, %v", config.ServerName, got, err)
				}
			}
		})
	}
	t.Run("OpenSSL", func(t *testing.T) {
		for _, want := range names {
			for _, version := range []string{"-tls1_2", "-tls1_3"} {
				out, err := exec.CommandContext(t.Context(), "openssl", "s_client", "-connect", address, "-servername", want, version).CombinedOutput()
				if !strings.Contains(string(out), "CN = "+want) && !strings.Contains(string(out), "CN="+want) {
					t.Errorf("%s %s: %v\n%s", version, want, err, out)
				}
			}
		}
	})
	for i, each := range only(t, e).Backends {
		if each.Counts.Connections != 5 {
			t.Errorf("instance %d had %d connections", i, each.Counts.Connections)
		}
	}
}

func TestAnUnknownNameIsRejectedWithTheAlertForIt(t *testing.T) {
	e := opened(t, 0)
	address := destination(byName(t, e, freePort(t), []string{"shop-0.example.com"}, instance(t, "shop-0.example.com")).Key).String()
	for _, name := range []string{"shop-1.example.com", "example.com", "hop-0.example.com", ""} {
		if _, err := shown(address, &tls.Config{ServerName: name}); err == nil || !strings.Contains(err.Error(), "unrecognized name") {
			t.Errorf("%q: %v", name, err)
		}
	}
	out, err := exec.CommandContext(t.Context(), "openssl", "s_client", "-connect", address, "-servername", "shop-1.example.com").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "unrecognized name") {
		t.Errorf("OpenSSL: %v\n%s", err, out)
	}
	if got := dropped(t, e, "unknown_server_name"); got != 5 {
		t.Errorf("%d are counted", got)
	}
}

// Data that follows the hello at once would turn a close into a reset, which overtakes
// the alert.
func TestTheAlertArrivesWhateverFollowsTheHello(t *testing.T) {
	e := opened(t, 0)
	address := destination(byName(t, e, freePort(t), []string{"a.example"}, instance(t, "a.example")).Key).String()
	for range 20 {
		client := dial(t, "tcp", address)
		send(t, client, string(helloFor(t, "b.example"))+strings.Repeat("early data", 10_000))
		got, err := io.ReadAll(client)
		if !bytes.Equal(got, unrecognizedName) || err != nil {
			t.Fatalf("received %x, %v", got, err)
		}
		client.Close()
	}
}

// helloFor returns the hello of Go's client.
func helloFor(t testing.TB, name string) []byte {
	t.Helper()
	client, server := net.Pipe()
	defer server.Close()
	go func() { _ = tls.Client(client, &tls.Config{ServerName: name}).Handshake() }()
	buffer := make([]byte, helloMost)
	size, err := server.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	return buffer[:size]
}

func TestEveryByteIsPassedOnAsItWasSent(t *testing.T) {
	backend := listenAt(t)
	e := opened(t, 0)
	service := byName(t, e, freePort(t), []string{"a.example"}, backend.Addr())
	hello := helloFor(t, "a.example")
	for _, proxied := range []bool{false, true} {
		service.ProxyProtocol = proxied
		set(t, e, service)
		for _, part := range []int{1, 5, 700, len(hello)} {
			client := dial(t, "tcp", destination(service.Key).String()).(*net.TCPConn)
			for rest := hello; len(rest) > 0; rest = rest[min(part, len(rest)):] {
				send(t, client, string(rest[:min(part, len(rest))])) // each is a separate segment
			}
			server, err := backend.AcceptTCP()
			if err != nil {
				t.Fatal(err)
			}
			_ = server.SetDeadline(time.Now().Add(10 * time.Second))
			if proxied {
				from := client.LocalAddr().(*net.TCPAddr).AddrPort()
				expect(t, server, string(proxyHeader(from, destination(service.Key))))
			}
			expect(t, server, string(hello))
			send(t, client, "and more")
			expect(t, server, "and more")
			send(t, server, "answer")
			expect(t, client, "answer")
			client.Close()
			server.Close()
		}
	}
}

func TestANameIsFoundInAnySpelling(t *testing.T) {
	n := names{}
	want := n.of("shop-0.example.com")
	for _, written := range []string{"shop-0.example.com", "Shop-0.EXAMPLE.com", "shop-0.example.com."} {
		if n.find([]byte(written)) != want {
			t.Errorf("%s isn't found", written)
		}
	}
	for _, written := range []string{"", ".", "shop-0.example.com..", "shop-0.example.co", "shop-0.example.com.evil", strings.Repeat("a", nameMost+1)} {
		if n.find([]byte(written)) != nil {
			t.Errorf("%s is found", written)
		}
	}
}
