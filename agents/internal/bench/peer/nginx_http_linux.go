package peer

import "text/template"

// Connections to backends are kept alive without a request limit, and 64 KiB bodies fit into memory: nginx's
// best case.
var (
	nginxHTTPConfig = nginxIn("")
	nginxTLSConfig  = nginxIn(" ssl; ssl_certificate {{$.Certificate}}; ssl_certificate_key {{$.Certificate}}")
)

func nginxIn(secured string) *template.Template {
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
{{range .Services}}
  upstream {{.Name}} {
{{range .Backends}}    server {{.Endpoint}};
{{end}}    keepalive 64;
    keepalive_requests 100000000;
  }
  server { listen {{.Endpoint}}` + secured + `; location / { proxy_pass http://{{.Name}}; } }
{{end}}}
`))
}
