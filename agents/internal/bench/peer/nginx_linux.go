package peer

import (
	"os/exec"
	"text/template"

	"golang.org/x/sys/unix"
)

const nginxStart = `
user root;
worker_processes auto;
worker_rlimit_nofile 16384;
pid {{.Folder}}/nginx.pid;
error_log stderr crit;
events { worker_connections 8192; }
`

var nginxConfig = template.Must(template.New("nginx").Parse(`
load_module /usr/lib/nginx/modules/ngx_stream_module.so;` + nginxStart + `
stream {
  proxy_connect_timeout 5s;
  proxy_timeout 120s;
{{range .Services}}
  upstream {{.Name}} {
{{range .Backends}}    server {{.Endpoint}};
{{end}}  }
  server { listen {{.Endpoint}}; proxy_pass {{.Name}}; tcp_nodelay on; }
{{end}}}
`))

func openNginx(Options) (peer, error) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		return nil, err
	}
	return newDaemon(unix.SIGHUP,
		func(file string) *exec.Cmd {
			return exec.Command(program, "-e", "stderr", "-g", "daemon off;", "-c", file)
		},
		func(file string) *exec.Cmd { return exec.Command(program, "-e", "stderr", "-t", "-q", "-c", file) },
	), nil
}
