package hello

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Go's client resumes by tickets only, so this one is OpenSSL's.
func TestAClientThatReturnsWithoutATicketIsIdentifiedByItsSessionID(t *testing.T) {
	folder := t.TempDir()
	session := filepath.Join(folder, "session")
	issued := openSSL(t, "s_client", "-connect", openSSLServer(t, folder), "-tls1_2", "-no_ticket", "-sess_out", session)
	want := regexp.MustCompile(`Session-ID: ([0-9A-F]{64})`).FindStringSubmatch(issued)
	if want == nil {
		t.Fatalf("the server issued no session id:\n%s", issued)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	got := make(chan Hello, 1)
	go func() {
		defer close(got)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
		if err := Peek(conn.(*net.TCPConn), Most, func(h *Hello) {
			got <- Hello{SessionID: []byte(strings.ToUpper(hex.EncodeToString(h.SessionID))), Ticket: h.Ticket}
		}); err != nil {
			t.Error(err)
		}
	}()
	openSSL(t, "s_client", "-connect", listener.Addr().String(), "-tls1_2", "-no_ticket", "-sess_in", session)
	if h := <-got; string(h.SessionID) != want[1] || h.Ticket != nil {
		t.Errorf("session %s, ticket %x, want session %s", h.SessionID, h.Ticket, want[1])
	}
}

// openSSL returns what a command prints. A client also fails if its server closes.
func openSSL(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "openssl", args...)
	command.WaitDelay = 10 * time.Second
	out, err := command.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

// openSSLServer returns the address of a server that remembers sessions.
func openSSLServer(t *testing.T, folder string) string {
	t.Helper()
	certificate := newServer(t, tls.VersionTLS12).config.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(certificate.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "server.pem")
	both := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	if err := os.WriteFile(file, both, 0o600); err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", file, "-key", file, "-no_ticket")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := server.StdinPipe(); err != nil { // it ends each connection at the end of its input
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if address, is := strings.CutPrefix(lines.Text(), "ACCEPT "); is {
			return address
		}
	}
	t.Fatal("openssl s_server listens nowhere")
	return ""
}
