package serverstest

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// ServerName is the name in the servers' certificate.
const ServerName = "server.test"

const startsWithin = 20 * time.Second

// Place is where a server runs. The zero value is a free port of the loopback address.
type Place struct {
	Address netip.AddrPort
	Name    string                                                               // in its responses
	Start   func(*exec.Cmd) error                                                // nil: in the test's network namespace
	Dial    func(ctx context.Context, network, address string) (net.Conn, error) // from there
}

// withDefaults returns a place with all fields.
func (p Place) withDefaults(t *testing.T) Place {
	t.Helper()
	if !p.Address.IsValid() {
		p.Address = freeAddress(t)
	}
	if p.Start == nil {
		p.Dial = (&net.Dialer{}).DialContext
		p.Start = func(command *exec.Cmd) error {
			endWithProcess(command)
			return command.Start()
		}
	}
	p.Name = cmp.Or(p.Name, "ok")
	return p
}

// Server is a running server.
type Server struct {
	Address netip.AddrPort
	process *os.Process
	printed *output
	ended   chan struct{}
}

// Stop ends the server before the test ends.
func (s *Server) Stop(t *testing.T) {
	t.Helper()
	s.Signal(t, syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(startsWithin):
		t.Fatalf("the server doesn't end: %s", s.printed)
	}
}

// Signal sends a signal, for example to reload.
func (s *Server) Signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	must(t, s.process.Signal(signal))
}

// start runs a program, which ends with the test, and waits until it accepts connections.
func start(t *testing.T, at Place, program string, arguments ...string) *Server {
	t.Helper()
	command, printed := exec.Command(program, arguments...), &output{}
	command.Stdout, command.Stderr = printed, printed
	must(t, at.Start(command))
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(startsWithin):
			_ = command.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("%s printed: %s", program, printed)
		}
	})
	for deadline := time.Now().Add(startsWithin); ; time.Sleep(20 * time.Millisecond) {
		conn, err := at.Dial(t.Context(), "tcp", at.Address.String())
		if err == nil {
			_ = conn.Close()
			return &Server{Address: at.Address, process: command.Process, printed: printed, ended: ended}
		}
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", program, printed)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s doesn't listen: %v: %s", program, err, printed)
		}
	}
}

// output collects what a program prints while tests may read it.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(text)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// find returns the path of a program.
func find(t *testing.T, name string, folders ...string) string {
	t.Helper()
	for _, path := range append([]string{name, "/usr/sbin/" + name}, folders...) {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	reason := "this test needs " + name
	if os.Getenv("CI") != "" {
		t.Fatal(reason)
	}
	t.Skip(reason)
	return ""
}

// freeAddress returns an address on which nothing listens.
func freeAddress(t *testing.T) netip.AddrPort {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	return netip.MustParseAddrPort(listener.Addr().String())
}

// certificate has one for all servers: nginx resumes sessions of another server only with the same.
var certificate = sync.OnceValues(func() (certificate, private []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), DNSNames: []string{ServerName}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	encoded, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
})

// Certificate returns the servers' certificate, for one in the test's process.
func Certificate(t *testing.T) tls.Certificate {
	t.Helper()
	pair, err := tls.X509KeyPair(certificate())
	must(t, err)
	return pair
}

// Roots returns a pool with the servers' certificate, for clients that verify it.
func Roots(t *testing.T) *x509.CertPool {
	t.Helper()
	text, _ := certificate()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		t.Fatal("the servers' certificate can't be read")
	}
	return pool
}

// Certify writes the certificate (.crt), its key (.key), and both in one file (.pem), and returns the path without endings.
func Certify(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "server")
	certificate, private := certificate()
	write(t, path+".crt", string(certificate))
	write(t, path+".key", string(private))
	write(t, path+".pem", string(slices.Concat(certificate, private)))
	return path
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
