package peer

import (
	"os/exec"
	"text/template"

	"golang.org/x/sys/unix"
)

const (
	nginxProgram      = "/usr/sbin/nginx"
	nginxStreamModule = "/usr/lib/nginx/modules/ngx_stream_module.so"
)

const nginxStart = `
user root;
worker_processes auto;
worker_rlimit_nofile 16384;
pid {{.Folder}}/nginx.pid;
error_log stderr crit;
events { worker_connections 8192; }
`

// Each worker has its own UDP socket.
var nginxConfig = template.Must(template.New("nginx").Parse(`
load_module ` + nginxStreamModule + `;` + nginxStart + `
stream {
  proxy_connect_timeout 5s;
  proxy_timeout 120s;
{{range .Services}}
  upstream {{.Name}} {
{{range .Backends}}    server {{.Endpoint}};
{{end}}  }
  server { listen {{.Endpoint}}{{if eq .Protocol "udp"}} udp reuseport{{end}}; proxy_pass {{.Name}}; tcp_nodelay on; }
{{end}}}
`))

func openNginx() peer {
	return newDaemon(unix.SIGHUP,
		func(file string) *exec.Cmd {
			return exec.Command(nginxProgram, "-e", "stderr", "-g", "daemon off;", "-c", file)
		},
		func(file string) *exec.Cmd {
			return exec.Command(nginxProgram, "-e", "stderr", "-t", "-q", "-c", file)
		},
	)
}
