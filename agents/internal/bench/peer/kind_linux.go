package peer

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"text/template"
)

// Kind is a third-party balancer.
type Kind struct {
	Name  string // its name for Run
	Title string // its name in tables
	UDP   bool   // it supports UDP
	HTTP  bool   // it supports HTTP only
	TLS   bool   // it ends TLS, with a certificate it generates

	InKernel bool // its connections are in the kernel: no process has them

	config *template.Template
	needs  []need
	open   func() peer
}

// need is a file from a Debian package.
type need struct{ path, pkg string }

// Kinds are peers that choose a backend for each connection or request.
var Kinds = []Kind{
	{Name: "nftables", Title: "nftables DNAT", UDP: true, InKernel: true, config: nftablesConfig, needs: []need{{nftProgram, "nftables"}}, open: openNftables},
	{Name: "haproxy", Title: "HAProxy tcp", config: haproxyConfig, needs: []need{{haproxyProgram, "haproxy"}}, open: openHAProxy},
	{Name: "haproxy-http", Title: "HAProxy http", HTTP: true, config: haproxyHTTPConfig, needs: []need{{haproxyProgram, "haproxy"}}, open: openHAProxy},
	{Name: "haproxy-tls", Title: "HAProxy TLS", HTTP: true, TLS: true, config: haproxyTLSConfig, needs: []need{{haproxyProgram, "haproxy"}}, open: openHAProxy},
	{Name: "nginx", Title: "nginx stream", UDP: true, config: nginxConfig, needs: []need{{nginxProgram, "nginx"}, {nginxStreamModule, "libnginx-mod-stream"}}, open: openNginx},
	{Name: "nginx-http", Title: "nginx http", HTTP: true, config: nginxHTTPConfig, needs: []need{{nginxProgram, "nginx"}}, open: openNginx},
	{Name: "nginx-tls", Title: "nginx TLS", HTTP: true, TLS: true, config: nginxTLSConfig, needs: []need{{nginxProgram, "nginx"}}, open: openNginx},
}

// Persistent are peers that return clients to their backend.
var Persistent = []Kind{
	{Name: "haproxy-id", Title: "HAProxy session ids", config: haproxyIDConfig, needs: []need{{haproxyProgram, "haproxy"}}, open: openHAProxy},
	{Name: "haproxy-cookie", Title: "HAProxy TLS with cookies", HTTP: true, TLS: true, config: haproxyCookieConfig, needs: []need{{haproxyProgram, "haproxy"}}, open: openHAProxy},
	{Name: "nginx-cookie", Title: "nginx TLS with cookies", HTTP: true, TLS: true, config: nginxCookieConfig, needs: []need{{nginxProgram, "nginx"}}, open: openNginx},
}

func all() []Kind { return slices.Concat(Kinds, Persistent) }

// Names are the names of all kinds.
func Names() []string {
	var names []string
	for _, kind := range all() {
		names = append(names, kind.Name)
	}
	return names
}

// Find returns the kind of a name.
func Find(name string) (Kind, error) {
	kinds := all()
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name }); i >= 0 {
		return kinds[i], nil
	}
	return Kind{}, fmt.Errorf("there is no peer %q: name one of %q", name, Names())
}

// Lacking returns an error that lists the packages these peers need.
func Lacking(kinds ...Kind) error {
	var packages []string
	for _, kind := range kinds {
		for _, n := range kind.needs {
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
