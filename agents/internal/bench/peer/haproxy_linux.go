package peer

import (
	"os/exec"
	"text/template"

	"golang.org/x/sys/unix"
)

var haproxyConfig = haproxyIn("tcp")

// haproxyIn is the configuration for a mode. The sockets of a listener pass from
// one worker to the next, so none in its queue is lost, and a new backend takes
// nothing before it was seen to be up.
func haproxyIn(mode string) *template.Template {
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
  bind {{.Endpoint}}
  balance roundrobin
  default-server check inter 500ms
{{range .Backends}}  server {{.Name}} {{.Endpoint}}
{{end}}{{end}}`))
}

func openHAProxy(Options) (peer, error) {
	program, err := exec.LookPath("haproxy")
	if err != nil {
		return nil, err
	}
	return newDaemon(unix.SIGUSR2,
		func(file string) *exec.Cmd { return exec.Command(program, "-W", "-f", file) },
		func(file string) *exec.Cmd { return exec.Command(program, "-c", "-q", "-f", file) },
	), nil
}
