package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"golang.org/x/sys/unix"
)

// need is a file that a package of Debian brings.
type need struct{ path, pkg string }

var (
	haproxyNeeds = []need{{"/usr/sbin/haproxy", "haproxy"}}
	nginxNeeds   = []need{{"/usr/sbin/nginx", "nginx"}}
	streamNeeds  = append(slices.Clone(nginxNeeds), need{"/usr/lib/nginx/modules/ngx_stream_module.so", "libnginx-mod-stream"})
)

// peers run as they come: as many threads or workers as there are processors.
var peers = []subject{
	{name: "nftables DNAT", kind: Peer, workloads: Workloads, needs: []need{{"/usr/sbin/nft", "nftables"}}, start: nft},
	{name: "HAProxy tcp", kind: Peer, workloads: []Workload{Small, New, Bulk}, needs: haproxyNeeds, start: proxy(haproxyConfig+`  mode tcp`+haproxyEnd, "/usr/sbin/haproxy", "-db", "-f")},
	{name: "HAProxy http", kind: Peer, workloads: []Workload{Small, New, Bulk}, needs: haproxyNeeds, start: proxy(haproxyConfig+`  mode http`+haproxyEnd, "/usr/sbin/haproxy", "-db", "-f")},
	{name: "nginx stream", kind: Peer, workloads: Workloads, needs: streamNeeds, start: proxy(nginxStream, "/usr/sbin/nginx", "-e", "stderr", "-g", "daemon off;", "-c")},
	{name: "nginx http", kind: Peer, workloads: []Workload{Small, New, Bulk}, needs: nginxNeeds, start: proxy(nginxHTTP, "/usr/sbin/nginx", "-e", "stderr", "-g", "daemon off;", "-c")},
}

// Connections are spread by chance, as with ours, and both ways are translated.
const nftRules = `
table ip peer {
  chain before {
    type nat hook prerouting priority dstnat;
    ip daddr {{.Service}} meta l4proto { tcp, udp } dnat to numgen random mod 2 map { 0 : {{index .Backends 0}}, 1 : {{index .Backends 1}} }
  }
  chain after { type nat hook postrouting priority srcnat; oif eth0 masquerade; }
}
`

const haproxyConfig = `
global
  maxconn 4000
defaults
  timeout connect 5s
  timeout client 60s
  timeout server 60s
listen service
`

const haproxyEnd = `
  bind {{.Service}}:80
  balance roundrobin
  server a {{index .Backends 0}}:80
  server b {{index .Backends 1}}:80
`

const nginxStart = `
user root;
worker_processes auto;
worker_rlimit_nofile 16384;
pid {{.Folder}}/nginx.pid;
error_log stderr crit;
events { worker_connections 4096; }
`

const nginxStream = `load_module /usr/lib/nginx/modules/ngx_stream_module.so;` + nginxStart + `
stream {
  upstream backends { server {{index .Backends 0}}:80; server {{index .Backends 1}}:80; }
  server { listen {{.Service}}:80; proxy_pass backends; tcp_nodelay on; }
  server { listen {{.Service}}:80 udp reuseport; proxy_pass backends; }
}
`

// Kept connections to backends, and no limit to how often one is used: nginx at its best.
const nginxHTTP = nginxStart + `
http {
  access_log off;
  keepalive_requests 100000000;
  client_body_temp_path {{.Folder}}/body;
  proxy_temp_path {{.Folder}}/proxy;
  fastcgi_temp_path {{.Folder}}/fastcgi;
  uwsgi_temp_path {{.Folder}}/uwsgi;
  scgi_temp_path {{.Folder}}/scgi;
  upstream backends { server {{index .Backends 0}}:80; server {{index .Backends 1}}:80; keepalive 64; keepalive_requests 100000000; }
  server {
    listen {{.Service}}:80;
    location / { proxy_pass http://backends; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffers 8 32k; }
  }
}
`

// lacking says what must be installed before these subjects can run.
func lacking(list []subject) error {
	var packages []string
	for _, s := range list {
		for _, n := range s.needs {
			if _, err := os.Stat(n.path); err != nil && !slices.Contains(packages, n.pkg) {
				packages = append(packages, n.pkg)
			}
		}
	}
	if len(packages) == 0 {
		return nil
	}
	return fmt.Errorf("peers to compare with aren't installed: run `apt-get install -y %s`, or name the subjects to measure with --subjects", strings.Join(packages, " "))
}

// nft loads rules, which end with the pod.
func nft(ctx context.Context, p *pod) (func() error, error) {
	file, err := p.write(nftRules)
	if err != nil {
		return nil, err
	}
	_, err = p.space.Run(ctx, "/usr/sbin/nft", "-f", file)
	return func() error { return nil }, err
}

// proxy starts a program whose last argument is the config.
func proxy(config string, arguments ...string) func(context.Context, *pod) (func() error, error) {
	return func(_ context.Context, p *pod) (func() error, error) {
		file, err := p.write(config)
		if err != nil {
			return nil, err
		}
		command := exec.Command(arguments[0], append(slices.Clone(arguments[1:]), file)...)
		printed := &bytes.Buffer{}
		command.Stdout, command.Stderr = printed, printed
		if err := p.space.StartBound(command); err != nil {
			return nil, err
		}
		return func() error { return end(command, printed) }, nil
	}
}

// end asks a program to go, so that its workers go too.
func end(command *exec.Cmd, printed *bytes.Buffer) error {
	if err := command.Process.Signal(unix.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	killed := time.AfterFunc(5*time.Second, func() { _ = unix.Kill(-command.Process.Pid, unix.SIGKILL) })
	defer killed.Stop()
	var exit *exec.ExitError
	if err := command.Wait(); err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("end %s: %w: %s", command.Path, err, printed)
	}
	return nil
}

// write fills in a config.
func (p *pod) write(config string) (string, error) {
	parsed, err := template.New("config").Parse(config)
	if err != nil {
		return "", err
	}
	folder := filepath.Join(p.folder, p.end)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	values := struct {
		Service, Folder string
		Backends        []string
	}{Service: p.service.String(), Folder: folder}
	for _, backend := range backends {
		values.Backends = append(values.Backends, hostAddress(backend.host).String())
	}
	var text bytes.Buffer
	if err := parsed.Execute(&text, values); err != nil {
		return "", err
	}
	path := filepath.Join(folder, "config")
	return path, os.WriteFile(path, text.Bytes(), 0o644)
}
