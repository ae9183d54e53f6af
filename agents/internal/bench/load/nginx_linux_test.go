package load

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"fairlead.dev/agents/internal/bench/peer"
)

// nginx uses OpenSSL, which stores sessions by id.
const nginxProgram = "/usr/sbin/nginx"

const nginxConfig = `
worker_processes 1;
pid %[1]s/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path %[1]s/body;
  proxy_temp_path %[1]s/proxy;
  fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi;
  scgi_temp_path %[1]s/scgi;
  server {
    listen %[2]s ssl;
    ssl_certificate %[3]s;
    ssl_certificate_key %[3]s;
    ssl_protocols TLSv1.2 TLSv1.3;
    ssl_session_cache %[4]s;
    ssl_session_tickets %[5]s;
    location / { return 200 "nginx\nhas replied\n"; }
  }
}
`

func TestEachKindOfSessionResumesAtNginx(t *testing.T) {
	for _, test := range []struct {
		kind            Resumption
		cache, tickets  string
		offers, resumes bool
	}{
		{PSK, "off", "on", true, true},
		{Ticket, "off", "on", true, true},
		{ID, "shared:sessions:1m", "off", true, true},
		{ID, "shared:sessions:1m", "on", true, true},
		{ID, "none", "off", true, false}, // it issues ids, but stores no sessions
		{ID, "off", "off", false, false},
		{Ticket, "off", "off", false, false},
	} {
		t.Run(fmt.Sprintf("%s with cache %s and tickets %s", test.kind, test.cache, test.tickets), func(t *testing.T) {
			address, roots := startNginx(t, test.cache, test.tickets)
			o := optionsFor("https://shop.example/", address)
			o.TLS = roots
			o.TLS.Resumption, o.Backend = test.kind, BackendName{}
			report := run(t, o)
			s := report.Sessions
			offered, resumed := uint64(0), uint64(0)
			if test.offers {
				offered = s.Returns
			}
			if test.resumes {
				resumed = s.Returns
			}
			if s.Returns < 20 || s.Offered != offered || s.Resumed != resumed {
				t.Errorf("%+v", s)
			}
			if report.Backends["nginx"] != report.Answered {
				t.Errorf("replies by the first line of the body: %v", report.Backends)
			}
		})
	}
}

// startNginx starts one that ends with the test.
func startNginx(t *testing.T, cache, tickets string) (netip.AddrPort, TLSOptions) {
	t.Helper()
	if err := peer.Lacking(peer.Kinds[slices.IndexFunc(peer.Kinds, func(k peer.Kind) bool { return k.Name == "nginx-tls" })]); err != nil {
		t.Fatal(err)
	}
	_, pair, roots := certificate(t)
	folder := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	file := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, nginxConfig, folder, address, pair, cache, tickets), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(nginxProgram, "-e", "stderr", "-p", folder, "-g", "daemon off;", "-c", file)
	command.Stderr = os.Stderr
	command.SysProcAttr = &unix.SysProcAttr{Pdeathsig: unix.SIGTERM}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(unix.SIGTERM)
		_ = command.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
			return netip.MustParseAddrPort(address), TLSOptions{Roots: roots}
		}
		if time.Now().After(deadline) {
			t.Fatalf("nginx doesn't listen: %v", err)
		}
	}
}
