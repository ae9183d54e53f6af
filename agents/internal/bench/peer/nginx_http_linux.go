package peer

import "text/template"

// Connections to backends are kept alive without a request limit, and 64 KiB bodies fit into memory: nginx's
// best case.
var (
	nginxHTTPConfig = nginxIn("", "", "proxy_pass http://{{.Name}};")
	nginxTLSConfig  = nginxIn(nginxEndsTLS, "", "proxy_pass http://{{.Name}};")

	// The directive "sticky" is for customers only. So a map chooses by a cookie with the name that a backend reports.
	nginxCookieConfig = nginxIn(nginxEndsTLS, `{{$service := .Name}}
{{range .Backends}}  upstream {{$service}}_{{.Name}} { server {{.Endpoint}}; keepalive 64; keepalive_requests 100000000; }
{{end}}  map $cookie_backend ${{.Name}}_chosen { default {{.Name}};{{range .Backends}} {{.Name}} {{$service}}_{{.Name}};{{end}} }
  map $cookie_backend ${{.Name}}_cookie { default ""; "" "backend=$upstream_http_x_backend"; }
`, "proxy_pass http://${{.Name}}_chosen; add_header Set-Cookie ${{.Name}}_cookie;")
)

// nginx before 1.23.4 has no TLS 1.3 by default.
const nginxEndsTLS = " ssl; ssl_protocols TLSv1.2 TLSv1.3; ssl_certificate {{$.Certificate}}; ssl_certificate_key {{$.Certificate}}"

func nginxIn(secured, more, location string) *template.Template {
	return template.Must(template.New("nginx-http").Parse(nginxStart + `
http {
  access_log off;
  keepalive_requests 100000000;
  keepalive_timeout 120s;
  client_body_temp_path {{.Folder}}/body;
  proxy_temp_path {{.Folder}}/proxy;
  fastcgi_temp_path {{.Folder}}/fastcgi;
  uwsgi_temp_path {{.Folder}}/uwsgi;
  scgi_temp_path {{.Folder}}/scgi;
  proxy_connect_timeout 5s;
  proxy_buffers 8 32k;
  proxy_http_version 1.1;
  proxy_set_header Connection "";
{{range .Services}}` + more + `
  upstream {{.Name}} {
{{range .Backends}}    server {{.Endpoint}};
{{end}}    keepalive 64;
    keepalive_requests 100000000;
  }
  server { listen {{.Endpoint}}` + secured + `; location / { ` + location + ` } }
{{end}}}
`))
}
