package balancer

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairlead.dev/agents/internal/balancer/datapath/datapathtest"
)

// serveNginx replaces a host's server by nginx, whose ticket keys begin with its own.
func (l *sessionLab) serveNginx(t *testing.T, host *datapathtest.Host) {
	t.Helper()
	if err := l.servers[host.Name].Close(); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	private, err := x509.MarshalPKCS8PrivateKey(l.certificate.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	certificate := write("server.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: l.certificate.Certificate[0]})))
	key := write("server.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	var directives strings.Builder
	ticketKey := func(name string) {
		content := "backend " + name + " 000000"[:7] + strings.Repeat("s", 80)
		fmt.Fprintf(&directives, "ssl_session_ticket_key %s;\n", write("ticket-"+name, content[:80]))
	}
	ticketKey(host.Name) // its own is the first
	for _, other := range l.network.Backends {
		if other != host {
			ticketKey(other.Name)
		}
	}
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&directives, "%s_temp_path %s/%s;\n", kind, folder, kind)
	}
	config := write("nginx.conf", fmt.Sprintf(`daemon off; master_process off; pid %[1]s/pid; error_log %[1]s/log;
events { worker_connections 512; }
http { access_log off; %[2]s
server { listen %[3]d ssl; listen [::]:%[3]d ssl; ssl_certificate %[4]s; ssl_certificate_key %[5]s; ssl_protocols TLSv1.2 TLSv1.3;
ssl_session_cache shared:S:10m; keepalive_timeout 300;
location / { return 200 "%[6]s"; } } }`, folder, directives.String(), labPort, certificate, key, host.Name))
	l.run(t, host, "nginx", "-c", config)
}

// run starts a server, which ends with the test, and waits until it listens.
func (l *sessionLab) run(t *testing.T, host *datapathtest.Host, name string, arguments ...string) {
	t.Helper()
	command := exec.Command(name, arguments...)
	var printed lockedBuffer
	command.Stdout, command.Stderr = &printed, &printed
	if err := host.Space.StartBound(command); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("%s of %s printed: %s", name, host.Name, printed.String())
		}
	})
	for deadline := time.Now().Add(labPatience); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		conn, err := host.Space.Dial(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", labPort))
		cancel()
		if err == nil {
			_ = conn.Close()
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s of %s doesn't listen: %v: %s", name, host.Name, err, printed.String())
		}
	}
}
