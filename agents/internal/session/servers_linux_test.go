package session_test

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
	"fairlead.dev/agents/internal/session/serverstest"
)

// write writes a file of a host, and returns its path.
func (l *lab) write(t *testing.T, host *datapathtest.Host, name, content string) string {
	t.Helper()
	path := filepath.Join(l.folder, host.Name+"-"+name)
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// ticketKeys returns the hosts' ticket keys, their own first: others have the same secret, so
// each server accepts all tickets.
func (l *lab) ticketKeys(host *datapathtest.Host, secretBytes int) (keys []string) {
	own := l.names[host.Name]
	keys = append(keys, string(own[:])+string(l.secret[:secretBytes]))
	for name, key := range l.names {
		if name != host.Name {
			keys = append(keys, string(key[:])+string(l.secret[:secretBytes]))
		}
	}
	return keys
}

// run starts a server, which ends with the test, and waits until it listens.
func run(t *testing.T, host *datapathtest.Host, name string, arguments ...string) {
	t.Helper()
	command := exec.Command(name, arguments...)
	var printed strings.Builder
	command.Stdout, command.Stderr = &printed, &printed
	must(t, host.Space.StartBound(command))
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s of %s printed: %s", name, host.Name, printed.String())
		}
	})
	for _, address := range []string{at(0), at(1)} {
		for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			conn, err := host.Space.Dial(ctx, "tcp", address)
			cancel()
			if err == nil {
				_ = conn.Close()
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s of %s doesn't listen: %v: %s", name, host.Name, err, printed.String())
			}
		}
	}
}

func nginx(t *testing.T, l *lab, host *datapathtest.Host) {
	certificate := serverstest.Certify(t)
	var tickets strings.Builder
	for i, key := range l.ticketKeys(host, 64) {
		fmt.Fprintf(&tickets, "ssl_session_ticket_key %s;\n", l.write(t, host, fmt.Sprintf("ticket%d", i), key))
	}
	folder := filepath.Join(l.folder, host.Name)
	must(t, os.MkdirAll(folder, 0o755))
	config := l.write(t, host, "nginx.conf", fmt.Sprintf(`daemon off; master_process off; pid %[1]s/%[2]s.pid; error_log %[1]s/%[2]s.log;
events { worker_connections 512; }
http { access_log off; %[3]s
server { listen 443 ssl; listen [::]:443 ssl; ssl_certificate %[4]s.crt; ssl_certificate_key %[4]s.key; ssl_protocols TLSv1.2 TLSv1.3;
ssl_session_cache shared:S:10m; ssl_session_timeout 1h; client_max_body_size 100m;
%[5]s
location / { return 200 "%[2]s\n"; } } }`, l.folder, host.Name, serverstest.NginxFolders(folder), certificate, tickets.String()))
	run(t, host, "nginx", "-c", config)
}

func haproxy(t *testing.T, l *lab, host *datapathtest.Host) {
	certificate := serverstest.Certify(t)
	keys := l.ticketKeys(host, 64)
	var lines strings.Builder
	for _, key := range []string{keys[1], keys[2], keys[0], strings.Repeat("x", 80)} { // its own is the last but one
		fmt.Fprintln(&lines, base64.StdEncoding.EncodeToString([]byte(key)))
	}
	config := l.write(t, host, "haproxy.cfg", fmt.Sprintf(`defaults
 mode http
 timeout client 9s
 timeout server 9s
 timeout connect 9s
frontend f
 bind :::443 v4v6 ssl crt %s.pem tls-ticket-keys %s
 http-request return status 200 content-type text/plain lf-string "%s\n"
`, certificate, l.write(t, host, "tickets", lines.String()), host.Name))
	run(t, host, "haproxy", "-f", config)
}

func node(t *testing.T, l *lab, host *datapathtest.Host) {
	certificate := serverstest.Certify(t)
	const script = `const [, cert, key, keys, name] = process.argv, fs = require("fs");
require("https").createServer({ cert: fs.readFileSync(cert), key: fs.readFileSync(key), ticketKeys: Buffer.from(keys, "hex") }, (_, r) => r.end(name + "\n")).listen(443, "::");`
	run(t, host, "node", "-e", script, certificate+".crt", certificate+".key", hex.EncodeToString([]byte(l.ticketKeys(host, 32)[0])), host.Name)
}

// golang is a server in this process. Its tickets begin with its own name.
func golang(t *testing.T, l *lab, host *datapathtest.Host) {
	path := serverstest.Certify(t)
	certificate, err := tls.LoadX509KeyPair(path+".crt", path+".key")
	must(t, err)
	sealing, name := &tls.Config{}, l.names[host.Name]
	sealing.SetSessionTicketKeys([][32]byte{[32]byte(l.secret)})
	config := &tls.Config{
		Certificates: []tls.Certificate{certificate},
		WrapSession: func(state tls.ConnectionState, session *tls.SessionState) ([]byte, error) {
			ticket, err := sealing.EncryptTicket(state, session)
			return slices.Concat(name[:], ticket), err
		},
		UnwrapSession: func(ticket []byte, state tls.ConnectionState) (*tls.SessionState, error) {
			return sealing.DecryptTicket(ticket[min(len(ticket), len(name)):], state)
		},
	}
	listening := net.ListenConfig{}
	listening.SetMultipathTCP(false)
	var listener net.Listener
	must(t, host.Space.Do(func() (err error) {
		listener, err = listening.Listen(t.Context(), "tcp", fmt.Sprintf(":%d", port))
		return err
	}))
	server := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, host.Name) })}
	go func() { _ = server.Serve(tls.NewListener(listener, config)) }()
	t.Cleanup(func() { _ = server.Close() })
}
