package bench

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"fairlead.dev/agents/internal/bench/peer"
	"fairlead.dev/agents/internal/netspace"
	"fairlead.dev/agents/internal/session/companion"
	"fairlead.dev/agents/internal/session/keys"
)

const (
	nginxProgram   = "/usr/sbin/nginx"
	startsWithin   = 20 * time.Second
	sessionService = 0 // number of the address of the service that is by session
)

// nginxServer is the configuration of a backend: TLS for balancers of packets, and plain HTTP for those that end TLS.
// One worker is enough.
const nginxServer = `daemon off; user root; worker_processes 1; pid %[1]s/pid; error_log stderr crit; worker_rlimit_nofile 16384;
events { worker_connections 8192; }
http { access_log off; keepalive_requests 100000000; keepalive_timeout 120s;
%[2]s
server { listen 443 ssl backlog=4096; listen [::]:443 ssl backlog=4096; listen 80 backlog=4096;
ssl_certificate %[3]s; ssl_certificate_key %[3]s; ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:S:64m; ssl_session_timeout 1h;
include %[1]s/tickets.conf;
add_header X-Backend %[4]s;
location / { return 200 "%[5]s"; } } }
`

// certify writes the certificate of all servers: nginx resumes sessions of another server only with the same.
func (l *sessionLab) certify() (string, error) {
	path := filepath.Join(l.folder, "certificate.pem")
	return path, peer.WriteCertificate(path)
}

// addBackend starts a server and its companion.
func (l *sessionLab) addBackend(index int, name, certificate string, serve backendServer) error {
	host := backendHost(index)
	space, err := l.host(name, host)
	if err != nil {
		return err
	}
	l.backends = append(l.backends, space)
	err = errors.Join(
		addIPv6(space, host), space.AddLocal(services), space.AddLocal(services6),
		space.SetSysctl("net/ipv6/ip_nonlocal_bind", "1"), // a local prefix is enough only for IPv4
		// Without TIME_WAIT a server that closes first has no socket for its client's FIN, and a companion doesn't reply for it.
		space.SetSysctl("net/ipv4/tcp_max_tw_buckets", "65536"),
		addNeighbours(space, clientHost), addNeighboursAt(space, hostAddress6, clientHost))
	if err != nil {
		return err
	}
	if err := serve(l, space, name, certificate); err != nil {
		return fmt.Errorf("backend %s: %w", name, err)
	}
	listen := netip.AddrPortFrom(hostAddress(host), companionPort)
	c, err := startProcess(space, func() error { return nil }, "companion", listen.String())
	if err != nil {
		return fmt.Errorf("the companion of backend %s: %w", name, err)
	}
	l.companions = append(l.companions, c)
	if _, err := c.order(l.accompanied(index, name)); err != nil {
		return fmt.Errorf("the companion of backend %s: %w", name, err)
	}
	return nil
}

// accompanied returns the services of a backend's companion.
func (l *sessionLab) accompanied(index int, name string) (list []companion.Service) {
	for _, address := range []netip.Addr{serviceAddress(sessionService), serviceAddress6(sessionService)} {
		list = append(list, companion.Service{
			Address: netip.AddrPortFrom(address, securePort), Backend: name, Number: uint8(index + 1), Keys: l.cookies,
			Replicas: []netip.AddrPort{messagesOf(0), messagesOf(1)},
		})
	}
	return list
}

// serveTLS starts nginx, and waits until it listens.
func (l *sessionLab) serveTLS(space *netspace.Space, name, certificate string) error {
	folder := filepath.Join(l.folder, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := keys.WriteNginx(folder, keys.For(name, sessionHosts, l.epoch)); err != nil {
		return err
	}
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", kind, folder, kind)
	}
	file := filepath.Join(folder, "nginx.conf")
	text := fmt.Sprintf(nginxServer, folder, temporary.String(), certificate, name, strings.Repeat("x", smallSize))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return err
	}
	command := exec.Command(nginxProgram, "-e", "stderr", "-c", file)
	command.Stderr = os.Stderr
	if err := space.StartBound(command); err != nil {
		return err
	}
	l.ends, l.servers = append(l.ends, command), append(l.servers, command)
	ctx, cancel := context.WithTimeout(context.Background(), startsWithin)
	defer cancel()
	for {
		conn, err := space.Dial(ctx, "tcp", fmt.Sprintf("[::1]:%d", securePort))
		if err == nil {
			return conn.Close()
		}
		if ctx.Err() != nil {
			return fmt.Errorf("nginx doesn't listen: %w", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
