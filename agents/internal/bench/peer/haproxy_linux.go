package peer

import (
	"os/exec"
	"text/template"

	"golang.org/x/sys/unix"
)

const haproxyProgram = "/usr/sbin/haproxy"

var (
	haproxyConfig = haproxyIn("tcp", "", "", "")
	// It reads requests and may choose another backend for each; clients keep their connections to HAProxy.
	haproxyHTTPConfig = haproxyIn("http", "", "", "")
	haproxyTLSConfig  = haproxyIn("http", haproxyEndsTLS, "", "")

	// Each is as in HAProxy's manual. The session id is at byte 44 of a hello; with TLS 1.3 it is random.
	haproxyIDConfig = haproxyIn("tcp", "", `
  stick-table type binary len 32 size 1m expire 1h
  acl client req.ssl_hello_type 1
  acl server res.ssl_hello_type 2
  tcp-request inspect-delay 5s
  tcp-request content accept if client
  tcp-response content accept if server
  stick on req.payload_lv(43,1) if client
  stick store-response res.payload_lv(43,1) if server`, "")
	haproxyCookieConfig = haproxyIn("http", haproxyEndsTLS, `
  cookie backend insert indirect nocache`, " cookie {{.Name}}")
)

const haproxyEndsTLS = " ssl crt {{$.Certificate}}"

// haproxyIn is the configuration for a mode. Listening sockets pass from one worker to the next, so no queued
// connection is lost. With health checks, a new backend gets no traffic before its first successful check.
func haproxyIn(mode, secured, lines, server string) *template.Template {
	return template.Must(template.New("haproxy").Parse(`
global
  maxconn 8000
  stats socket {{.Folder}}/stats.sock mode 600 expose-fd listeners
defaults
  mode ` + mode + `
  option redispatch
  retries 3
  timeout connect 5s
  timeout client 120s
  timeout server 120s
{{range .Services}}
listen {{.Name}}
  bind {{.Endpoint}}` + secured + `
  balance roundrobin` + lines + `
{{if .Checked}}  default-server check inter 500ms
{{end}}{{range .Backends}}  server {{.Name}} {{.Endpoint}}` + server + `
{{end}}{{end}}`))
}

func openHAProxy() peer {
	return newDaemon(unix.SIGUSR2,
		func(file string) *exec.Cmd { return exec.Command(haproxyProgram, "-W", "-f", file) },
		func(file string) *exec.Cmd { return exec.Command(haproxyProgram, "-c", "-q", "-f", file) },
	)
}
